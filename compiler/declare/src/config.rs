//! `#[config]` on a struct with named fields or an enum of unit variants.

use proc_macro2::TokenStream;
use syn::parse::Parse;
use syn::{Attribute, Field, Fields, Item, ItemEnum, ItemStruct, LitStr, Path, Token, bracketed};

use crate::arguments::{attribute_tokens, read_arguments, text, unknown_key, value, within};
use crate::bounds::GivenBounds;
use crate::defaults::{Literal, fits};
use crate::digest::item_digest;
use crate::field_type::field_type;
use crate::item::{doc, refuse_cfg, refuse_generics, require_pub};
use crate::model::{ConfigBody, ConfigDecl, Default, FieldDecl, FieldType, Number, VariantDecl};
use crate::names::{camel_case, kebab_case};
use crate::problems::{Parsed, Problems};

const KEYS: [&str; 7] = ["default", "min", "max", "non_empty", "non_blank", "one_of", "name"];

/// Reads a config type from the attribute's arguments and the item below it.
#[must_use]
pub fn parse(arguments: TokenStream, item: &Item) -> Parsed<ConfigDecl> {
    let mut problems = Problems::default();
    let digest = item_digest("config", &arguments, item);
    if !arguments.is_empty() {
        problems.at(arguments, "`#[config]` on a type has no arguments");
    }
    let (name, body, attributes) = match item {
        Item::Struct(item) => (&item.ident, ConfigBody::Struct(struct_fields(item, &mut problems)), &item.attrs),
        Item::Enum(item) => (&item.ident, ConfigBody::Enum(variants(item, kebab_case, &mut problems)), &item.attrs),
        other => {
            problems.at(other, "`#[config]` stands on a struct or an enum");
            return Parsed::new(None, problems);
        }
    };
    let decl = ConfigDecl { name: name.clone(), body, doc: doc(attributes), digest };
    for path in decl.named().into_iter().filter(|path| path.is_ident(name)) {
        problems.at(path, "a config type cannot hold itself");
    }
    Parsed::new(Some(decl), problems)
}

impl ConfigDecl {
    /// Each mention of another config type in field order, inside `Option`, `Vec` and `BTreeMap` too.
    #[must_use]
    pub fn named(&self) -> Vec<&Path> {
        match &self.body {
            ConfigBody::Struct(fields) => fields.iter().filter_map(|field| field.ty.named()).collect(),
            ConfigBody::Enum(_) => Vec::new(),
        }
    }
}

impl FieldType {
    /// The config type that a field holds, alone or inside `Option`, `Vec` and `BTreeMap`.
    #[must_use]
    pub fn named(&self) -> Option<&Path> {
        match self {
            Self::Named(path) => Some(path),
            Self::Option(inner) | Self::List(inner) | Self::Map(inner) => inner.named(),
            Self::Text | Self::Bool | Self::Int(_) | Self::Float | Self::Path | Self::SecretEnv => None,
        }
    }
}

fn struct_fields(item: &ItemStruct, problems: &mut Problems) -> Vec<FieldDecl> {
    refuse_cfg(&item.attrs, problems);
    refuse_generics(&item.generics, problems);
    require_pub(&item.vis, &item.ident, "a config type", problems);
    let Fields::Named(named) = &item.fields else {
        problems.at(item, "a config struct has named fields");
        return Vec::new();
    };
    let mut fields: Vec<FieldDecl> = Vec::new();
    for field in &named.named {
        if let Some(decl) = read_field(field, problems) {
            if fields.iter().any(|other| other.key == decl.key) {
                problems.at(&decl.ident, format!("another field has the YAML key `{}`", decl.key));
            }
            fields.push(decl);
        }
    }
    fields
}

fn read_field(field: &Field, problems: &mut Problems) -> Option<FieldDecl> {
    // Fields of a struct with named fields have names.
    let ident = field.ident.clone()?;
    refuse_cfg(&field.attrs, problems);
    require_pub(&field.vis, &ident, "a config field", problems);
    let given = read_arguments_of(&field.attrs, problems);
    let ty = problems.keep(field_type(&field.ty));
    if let Some(ty) = &ty {
        given.bounds.check(ty, problems);
        if let Some(default) = &given.default {
            match fits(&default.value, ty) {
                Ok(()) => given.bounds.check_default(&default.value, default.span, problems),
                Err(message) => problems.at_span(default.span, message),
            }
        }
    }
    Some(FieldDecl {
        key: given.key.unwrap_or_else(|| camel_case(&ident)),
        ident,
        ty: ty?,
        syn_type: field.ty.clone(),
        default: given.default.map(|default| default.value),
        bounds: given.bounds.read(),
        doc: doc(&field.attrs),
    })
}

#[derive(std::default::Default)]
struct FieldArguments {
    key: Option<String>,
    default: Option<Literal<Default>>,
    bounds: GivenBounds,
}

fn read_arguments_of(attributes: &[Attribute], problems: &mut Problems) -> FieldArguments {
    let mut given = FieldArguments::default();
    let mut own = attributes.iter().filter(|attribute| attribute.path().is_ident("config"));
    let Some(attribute) = own.next() else { return given };
    if let Some(second) = own.next() {
        problems.at(second, "a field has one `#[config(…)]`");
    }
    let tokens = attribute_tokens(attribute, problems);
    read_arguments(tokens, problems, |key, input| {
        let bounds = &mut given.bounds;
        match key.to_string().as_str() {
            "default" => given.default = Some(value(input)?),
            "min" => bounds.min = Some(number(value(input)?)),
            "max" => bounds.max = Some(number(value(input)?)),
            "non_empty" => bounds.non_empty = Some(key.span()),
            "non_blank" => bounds.non_blank = Some(key.span()),
            "one_of" => {
                input.parse::<Token![=]>()?;
                let words;
                bracketed!(words in input);
                let words = within(&words, |words| words.parse_terminated(<LitStr as Parse>::parse, Token![,]))?;
                bounds.one_of = Some((words.iter().map(LitStr::value).collect(), key.span()));
            }
            "name" => given.key = Some(text(input)?.value),
            _ => return Err(unknown_key(key, &KEYS)),
        }
        Ok(())
    });
    given
}

fn number(literal: Literal<Number>) -> (Number, proc_macro2::Span) {
    (literal.value, literal.span)
}

/// The unit variants of an enum, spelled by `spell`.
pub(crate) fn variants(item: &ItemEnum, spell: fn(&syn::Ident) -> String, problems: &mut Problems) -> Vec<VariantDecl> {
    refuse_cfg(&item.attrs, problems);
    refuse_generics(&item.generics, problems);
    require_pub(&item.vis, &item.ident, "the type", problems);
    if item.variants.is_empty() {
        problems.at(&item.ident, "an enum of words has at least one variant");
    }
    let mut decls = Vec::new();
    for variant in &item.variants {
        refuse_cfg(&variant.attrs, problems);
        if !matches!(variant.fields, Fields::Unit) {
            problems.at(variant, "the enum is one of a few words: its variants have no fields");
        }
        decls.push(VariantDecl { ident: variant.ident.clone(), key: spell(&variant.ident), doc: doc(&variant.attrs) });
    }
    decls
}

//! The members of a session event's data, by the attributes that serde reads.

use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::{Attribute, Field, GenericArgument, ItemStruct, LitStr, Meta, PathArguments, Type};

use crate::item::doc;
use crate::model::SessionField;

/// The members in source order. Attributes that serde would refuse are rustc's to report.
pub(crate) fn session_fields(item: &ItemStruct) -> Vec<SessionField> {
    let style = serde_value(&item.attrs, "rename_all").unwrap_or_default();
    let is_itself = serde_has(&item.attrs, "transparent");
    let kept = item.fields.iter().filter(|field| !serde_has(&field.attrs, "skip"));
    kept.map(|field| session_field(field, &style, is_itself)).collect()
}

fn session_field(field: &Field, style: &str, is_itself: bool) -> SessionField {
    let is_among = is_itself || serde_has(&field.attrs, "flatten");
    let named = field.ident.as_ref().filter(|_| !is_among);
    let key = named.map(|name| serde_value(&field.attrs, "rename").unwrap_or_else(|| styled(&name.unraw().to_string(), style)));
    let inner = inside_option(&field.ty);
    let optional = inner.is_some() || ["default", "skip_serializing_if"].iter().any(|word| serde_has(&field.attrs, word));
    SessionField { key, ty: inner.unwrap_or(&field.ty).clone(), optional, doc: doc(&field.attrs) }
}

/// A field's name as `rename_all` has it.
fn styled(name: &str, style: &str) -> String {
    let words = || name.split('_');
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    match style {
        "camelCase" => words().take(1).map(str::to_owned).chain(words().skip(1).map(capital)).collect(),
        "PascalCase" => words().map(capital).collect(),
        "kebab-case" => name.replace('_', "-"),
        "SCREAMING_SNAKE_CASE" => name.to_ascii_uppercase(),
        "SCREAMING-KEBAB-CASE" => name.replace('_', "-").to_ascii_uppercase(),
        "UPPERCASE" => name.to_ascii_uppercase(),
        _ => name.to_owned(),
    }
}

fn inside_option(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Option")?;
    match &last.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::Type(inner) => Some(inner),
            _ => None,
        }),
        _ => None,
    }
}

/// The tokens of all `#[serde(…)]`, one list an attribute.
fn serde_tokens(attributes: &[Attribute]) -> impl Iterator<Item = TokenStream> {
    attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("serde") => Some(list.tokens.clone()),
        _ => None,
    })
}

/// Whether an attribute has a key, with a value or without.
fn serde_has(attributes: &[Attribute], key: &str) -> bool {
    serde_tokens(attributes).any(|tokens| tokens.into_iter().any(|token| matches!(token, TokenTree::Ident(word) if word == key)))
}

/// The string of `key = "…"`.
fn serde_value(attributes: &[Attribute], key: &str) -> Option<String> {
    serde_tokens(attributes).find_map(|tokens| {
        let mut tokens = tokens.into_iter().skip_while(|token| !matches!(token, TokenTree::Ident(word) if word == key)).skip(2);
        let literal = tokens.next()?;
        syn::parse2::<LitStr>(TokenStream::from(literal)).ok().map(|text| text.value())
    })
}

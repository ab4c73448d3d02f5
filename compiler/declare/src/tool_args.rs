//! `#[tool_args]` on a struct or an enum of unit variants: the arguments of a tool.

use proc_macro2::TokenStream;
use syn::{Field, Fields, Item, ItemStruct, Path};

use crate::config::variants;
use crate::digest::item_digest;
use crate::field_type::arg_type;
use crate::item::{doc, refuse_cfg, refuse_generics, require_pub};
use crate::model::{ArgField, ArgType, ToolArgsBody, ToolArgsDecl};
use crate::names::snake_case;
use crate::problems::{Parsed, Problems};

/// Reads a type of tool arguments from the attribute's arguments and the item below it.
#[must_use]
pub fn parse(arguments: TokenStream, item: &Item) -> Parsed<ToolArgsDecl> {
    let mut problems = Problems::default();
    let digest = item_digest("tool_args", &arguments, item);
    if !arguments.is_empty() {
        problems.at(arguments, "`#[tool_args]` has no arguments");
    }
    let (name, body, attributes) = match item {
        Item::Struct(item) => (&item.ident, ToolArgsBody::Struct(fields(item, &mut problems)), &item.attrs),
        Item::Enum(item) => (&item.ident, ToolArgsBody::Enum(variants(item, snake_case, &mut problems)), &item.attrs),
        other => {
            problems.at(other, "`#[tool_args]` stands on a struct or an enum");
            return Parsed::new(None, problems);
        }
    };
    let decl = ToolArgsDecl { name: name.clone(), body, doc: doc(attributes), digest };
    for path in decl.named().into_iter().filter(|path| path.is_ident(name)) {
        problems.at(path, "a type of tool arguments cannot hold itself");
    }
    Parsed::new(Some(decl), problems)
}

impl ToolArgsDecl {
    /// Each mention of another type of tool arguments in field order, inside `Option` and `Vec` too.
    #[must_use]
    pub fn named(&self) -> Vec<&Path> {
        match &self.body {
            ToolArgsBody::Struct(fields) => fields.iter().filter_map(|field| field.ty.named()).collect(),
            ToolArgsBody::Enum(_) => Vec::new(),
        }
    }
}

impl ArgType {
    /// The type of tool arguments that a field holds, alone or inside `Option` and `Vec`.
    #[must_use]
    pub fn named(&self) -> Option<&Path> {
        match self {
            Self::Named(path) => Some(path),
            Self::Option(inner) | Self::List(inner) => inner.named(),
            Self::Text | Self::Bool | Self::Int | Self::Float | Self::Any => None,
        }
    }
}

fn fields(item: &ItemStruct, problems: &mut Problems) -> Vec<ArgField> {
    refuse_cfg(&item.attrs, problems);
    refuse_generics(&item.generics, problems);
    require_pub(&item.vis, &item.ident, "a type of tool arguments", problems);
    match &item.fields {
        Fields::Named(fields) => fields.named.iter().filter_map(|field| read_field(field, problems)).collect(),
        // A tool without arguments.
        Fields::Unit => {
            problems.at(item, "a tool without arguments takes an empty struct: `pub struct Args {}`");
            Vec::new()
        }
        Fields::Unnamed(_) => {
            problems.at(item, "a struct of tool arguments has named fields");
            Vec::new()
        }
    }
}

fn read_field(field: &Field, problems: &mut Problems) -> Option<ArgField> {
    let ident = field.ident.clone()?;
    refuse_cfg(&field.attrs, problems);
    if let Some(attribute) = field.attrs.iter().find(|attribute| attribute.path().is_ident("serde")) {
        problems.at(attribute, "`#[tool_args]` writes the serde derive: a field goes on the wire under its own name");
    }
    let ty = problems.keep(arg_type(&field.ty))?;
    Some(ArgField { ident, ty, syn_type: field.ty.clone(), doc: doc(&field.attrs) })
}

//! What every kind of declaration asks of its item.

use quote::ToTokens;
use syn::{Attribute, Expr, ExprLit, Generics, ImplItem, ItemImpl, Lit, Meta, Visibility};

use crate::model::Doc;
use crate::problems::Problems;

/// Doc comment of an item, lines joined by `\n`, one leading space of each removed, blank lines at the ends left out.
pub(crate) fn doc(attributes: &[Attribute]) -> Doc {
    let mut lines: Vec<String> = Vec::new();
    for attribute in attributes {
        if let Meta::NameValue(pair) = &attribute.meta
            && pair.path.is_ident("doc")
            && let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &pair.value
        {
            lines.extend(text.value().split('\n').map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()));
        }
    }
    lines.join("\n").trim_matches('\n').to_owned()
}

/// Refuses `cfg` and `cfg_attr`: the compiler would read another item than rustc compiles.
pub(crate) fn refuse_cfg(attributes: &[Attribute], problems: &mut Problems) {
    for attribute in attributes.iter().filter(|attribute| is_cfg(attribute)) {
        problems.at(attribute, "a declaration cannot depend on `cfg`: it is read from source for every target");
    }
}

/// Whether an attribute is `cfg` or `cfg_attr`.
#[must_use]
pub fn is_cfg(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr")
}

/// Refuses type parameters, lifetimes and a `where` clause.
pub(crate) fn refuse_generics(generics: &Generics, problems: &mut Problems) {
    if !generics.params.is_empty() {
        problems.at(&generics.params, "a declaration has no generics");
    }
    if let Some(clause) = &generics.where_clause {
        problems.at(clause, "a declaration has no `where` clause");
    }
}

/// Asks for `pub`; `named` points at the thing and `what` says what it is.
pub(crate) fn require_pub(visibility: &Visibility, named: impl ToTokens, what: &str, problems: &mut Problems) {
    if !matches!(visibility, Visibility::Public(_)) {
        problems.at(named, format!("{what} must be `pub`: the wiring names it"));
    }
}

/// Whether an attribute of a method in a `#[plugin]` block is part of the declaration.
#[must_use]
pub fn is_method_attribute(attribute: &Attribute) -> bool {
    METHOD_ATTRIBUTES.iter().any(|name| attribute.path().is_ident(name))
}

/// Attributes of methods that `#[plugin]` reads.
pub(crate) const METHOD_ATTRIBUTES: [&str; 5] = ["on", "tool", "prompt", "serve", "verb"];

/// The block without the attributes that `#[plugin]` reads.
#[must_use]
pub fn without_method_attributes(mut block: ItemImpl) -> ItemImpl {
    for member in &mut block.items {
        if let ImplItem::Fn(function) = member {
            function.attrs.retain(|attribute| !is_method_attribute(attribute));
        }
    }
    block
}

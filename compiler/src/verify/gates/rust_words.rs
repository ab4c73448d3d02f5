//! The words of Rust sources.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};

/// Adds every identifier and keyword among tokens.
pub(super) fn collect(tokens: TokenStream, names: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => drop(names.insert(ident.to_string())),
            TokenTree::Group(group) => collect(group.stream(), names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

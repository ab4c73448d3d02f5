//! Declarations that would not be seen in source: what a macro makes, and what `cfg_attr` makes of an item.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Meta};

use crate::source::declares;

/// The derive that makes a declaration.
const DERIVED: &str = "Inject";

/// Whether an attribute is a `cfg_attr` that may make a declaration of its item.
pub(crate) fn behind_cfg_attr(attribute: &Attribute) -> bool {
    match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg_attr") => {
            words(list.tokens.clone()).iter().any(|word| declares(word) || word == DERIVED)
        }
        _ => false,
    }
}

/// The insides of the attributes `#[…]` among a macro's tokens that make a declaration.
pub(crate) fn in_macro(tokens: TokenStream) -> Vec<TokenStream> {
    let mut found = Vec::new();
    let mut after_sign = false;
    for token in tokens {
        let TokenTree::Group(group) = &token else {
            after_sign = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
            continue;
        };
        let is_attribute = std::mem::take(&mut after_sign) && group.delimiter() == Delimiter::Bracket;
        match is_attribute && makes_declaration(group.stream()) {
            true => found.push(group.to_token_stream()),
            false => found.extend(in_macro(group.stream())),
        }
    }
    found
}

/// Whether the inside of `#[…]` is `plugin`, `dsh_runtime::plugin(…)`, `derive(…, Inject)` or the like.
fn makes_declaration(attribute: TokenStream) -> bool {
    let path = attribute.clone().into_iter().take_while(|token| !matches!(token, TokenTree::Group(_)));
    match words(path.collect()).last().map(String::as_str) {
        Some("derive") => words(attribute).iter().any(|word| word == DERIVED),
        Some(word) => declares(word),
        None => false,
    }
}

/// The identifiers among tokens, those in groups included.
fn words(tokens: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => found.push(ident.to_string()),
            TokenTree::Group(group) => found.extend(words(group.stream())),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    found
}

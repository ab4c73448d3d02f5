//! Parses a source file without the bodies of its functions: they declare nothing and are most of what there is to parse.
//!
//! Which braces are a body is told from the tokens alone. Where that is in doubt they stay, which costs time and nothing else.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::{Error, File};

use crate::hidden::in_macro;
use crate::source::IN_FUNCTION;

/// A file whose functions have empty bodies.
pub struct Skimmed {
    /// The file.
    pub file: File,
    /// Declarations that stand in the bodies, where they cannot be.
    pub in_bodies: Vec<Error>,
}

/// Parses a text.
///
/// # Errors
/// What is no Rust outside of the bodies, or has no pairs of brackets.
pub fn skim(text: &str) -> Result<Skimmed, Error> {
    let mut in_bodies = Vec::new();
    let tokens = without_bodies(text.parse()?, &mut in_bodies);
    Ok(Skimmed { file: syn::parse2(tokens)?, in_bodies })
}

/// What the tokens behind an item's first word belong to.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    /// Nothing in particular: braces hold items or fields.
    Item,
    /// The signature of a function: braces are its body.
    Signature,
    /// A constant, a static or an alias: braces are an expression, up to the semicolon.
    Value,
    /// A macro, up to its brackets.
    Macro,
}

fn without_bodies(tokens: TokenStream, in_bodies: &mut Vec<Error>) -> TokenStream {
    let mut within = Within::Item;
    let mut kept = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let after_bracket = matches!(kept.last(), Some(TokenTree::Punct(punct)) if matches!(punct.as_char(), '<' | ',' | '='));
        kept.push(match token {
            TokenTree::Group(group) if within == Within::Macro => {
                within = Within::Item;
                TokenTree::Group(group)
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && !after_bracket => match within {
                Within::Value | Within::Macro => TokenTree::Group(group),
                Within::Item => replaced(&group, without_bodies(group.stream(), in_bodies)),
                Within::Signature => {
                    let found = in_macro(group.stream()).into_iter();
                    in_bodies.extend(found.map(|attribute| Error::new_spanned(attribute, IN_FUNCTION)));
                    within = Within::Item;
                    replaced(&group, TokenStream::new())
                }
            },
            TokenTree::Punct(punct) => {
                within = match punct.as_char() {
                    ';' => Within::Item,
                    '!' if within == Within::Item => Within::Macro,
                    _ => within,
                };
                TokenTree::Punct(punct)
            }
            TokenTree::Ident(word) if within == Within::Item => {
                let is_function =
                    matches!(tokens.peek(), Some(TokenTree::Ident(next)) if next == "fn" || next == "unsafe" || next == "async");
                if word == "fn" {
                    within = Within::Signature;
                } else if !is_function && (word == "const" || word == "static" || word == "type") {
                    within = Within::Value;
                }
                TokenTree::Ident(word)
            }
            other => other,
        });
    }
    kept.into_iter().collect()
}

fn replaced(group: &Group, stream: TokenStream) -> TokenTree {
    let mut replaced = Group::new(group.delimiter(), stream);
    replaced.set_span(group.span());
    TokenTree::Group(replaced)
}

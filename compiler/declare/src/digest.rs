//! Digests of declarations.
//!
//! The digest of an item is FNV-1a in 64 bits over its canonical text: the kind of declaration, the attribute's arguments
//! and the item, as tokens joined by one space. Doc comments count, bodies of functions do not, and neither do other
//! attributes of the item as a whole (`derive`, `allow`, …), because a macro does not see those that were expanded before
//! it. String literals count by value, because a doc comment reaches macros and source readers in different spellings.
//!
//! Constants join the digests of items ([`combine`]):
//!
//! | constant | parts in order |
//! |---|---|
//! | service, event | none: the item's own digest |
//! | config | the item's, then for each mention of a named type in field order that type's ([`crate::model::ConfigDecl::named`]) |
//! | tool arguments | likewise ([`crate::model::ToolArgsDecl::named`]) |
//! | inject | the item's, then for each field in order its service's or event's |
//! | plugin | the item's, its config's or 0, its inject's or 0, its services', its listeners' events', its tools' arguments' |

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, ImplItem, Item, Lit, TraitItem, TraitItemFn};

/// Offset basis and prime of 64-bit FNV-1a as its authors published them.
const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// FNV-1a over bytes.
#[must_use]
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(OFFSET_BASIS, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME))
}

/// Joins digests in order: FNV-1a over their little-endian bytes, as the runtime's `combine` does.
#[must_use]
pub fn combine(parts: &[u64]) -> u64 {
    let bytes: Vec<u8> = parts.iter().flat_map(|part| part.to_le_bytes()).collect();
    fnv1a(&bytes)
}

/// The digest of an item below the attribute `kind` with the arguments `arguments`.
pub(crate) fn item_digest(kind: &str, arguments: &TokenStream, item: &Item) -> u64 {
    let mut text = String::from(kind);
    text.push_str(" (");
    append(&mut text, arguments.clone());
    text.push_str(" )");
    append(&mut text, bare(item).into_token_stream());
    fnv1a(text.as_bytes())
}

/// Tokens joined by one space, groups walked recursively. The spacing of a token stream's own text is not specified.
#[must_use]
pub fn canonical_text(tokens: TokenStream) -> String {
    let mut text = String::new();
    append(&mut text, tokens);
    text
}

fn append(text: &mut String, tokens: TokenStream) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                push(text, open);
                append(text, group.stream());
                push(text, close);
            }
            TokenTree::Ident(ident) => push(text, &ident.to_string()),
            TokenTree::Punct(punct) => push(text, punct.as_char().encode_utf8(&mut [0; 4])),
            TokenTree::Literal(literal) => match Lit::new(literal) {
                Lit::Str(string) => push(text, &format!("{:?}", string.value().replace("\r\n", "\n"))),
                other => push(text, &other.to_token_stream().to_string()),
            },
        }
    }
}

fn push(text: &mut String, token: &str) {
    if !token.is_empty() {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(token);
    }
}

/// The item with its doc comments as its only attributes and without bodies of functions.
fn bare(item: &Item) -> Item {
    let mut item = item.clone();
    match &mut item {
        Item::Struct(item) => keep_docs(&mut item.attrs),
        Item::Enum(item) => keep_docs(&mut item.attrs),
        Item::Trait(item) => keep_docs(&mut item.attrs),
        Item::Impl(item) => keep_docs(&mut item.attrs),
        _ => {}
    }
    empty_bodies(&mut item);
    item
}

/// Takes the statements out of the functions of a trait or an `impl` block.
pub(crate) fn empty_bodies(item: &mut Item) {
    match item {
        Item::Trait(item) => {
            for member in &mut item.items {
                if let TraitItem::Fn(TraitItemFn { default: Some(body), .. }) = member {
                    body.stmts.clear();
                }
            }
        }
        Item::Impl(item) => {
            for member in &mut item.items {
                if let ImplItem::Fn(function) = member {
                    function.block.stmts.clear();
                }
            }
        }
        _ => {}
    }
}

fn keep_docs(attributes: &mut Vec<Attribute>) {
    attributes.retain(|attribute| attribute.path().is_ident("doc"));
}

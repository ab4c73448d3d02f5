//! Comments in generated code.

use proc_macro2::TokenStream;
use quote::quote;

/// A comment line before a statement or an item: tokens carry no comments, so it travels as an attribute that the formatter
/// writes as a comment.
pub(super) fn comment(text: &str) -> TokenStream {
    let text = format!(" {text}");
    quote!(#[comment = #text])
}

//! Comments in formatted code. The formatter keeps none, so they pass through it as attributes and become comments after.

use proc_macro2::TokenStream;
use quote::quote;

/// What stands for a comment until [`restore`]. It goes before a statement or an item.
pub(super) fn comment(text: &str) -> TokenStream {
    quote!(#[comment = #text])
}

/// Turns the marker attributes of formatted code into comment lines. String literals cannot be mistaken for one: the formatter
/// keeps them on one line, and no other line starts like a marker.
pub(super) fn restore(formatted: &str) -> String {
    let mut text = String::with_capacity(formatted.len());
    for line in formatted.lines() {
        let code = line.trim_start();
        let marked = code.strip_prefix("#[comment = ").and_then(|rest| rest.strip_suffix(']'));
        match marked.and_then(|literal| syn::parse_str::<syn::LitStr>(literal).ok()) {
            Some(comment) => {
                text.push_str(&line[..line.len() - code.len()]);
                text.push_str("// ");
                text.push_str(&comment.value());
            }
            None => text.push_str(line),
        }
        text.push('\n');
    }
    text
}

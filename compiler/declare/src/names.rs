//! How Rust names are spelled in YAML and on the wire.

use proc_macro2::Ident;
use syn::ext::IdentExt;

/// `timeout_ms` as `timeoutMs`: the YAML key of a config field.
#[must_use]
pub fn camel_case(field: &Ident) -> String {
    let mut key = String::new();
    let mut raise = false;
    for letter in field.unraw().to_string().chars() {
        match letter {
            '_' => raise = !key.is_empty(),
            _ if raise => {
                key.extend(letter.to_uppercase());
                raise = false;
            }
            _ => key.push(letter),
        }
    }
    key
}

/// `ReadOnly` as `read-only`: the YAML word of a variant.
#[must_use]
pub fn kebab_case(variant: &Ident) -> String {
    separated(variant, '-')
}

/// `StrReplace` as `str_replace`: the wire's word of a variant.
#[must_use]
pub fn snake_case(variant: &Ident) -> String {
    separated(variant, '_')
}

/// Puts a separator before each capital letter but the first.
fn separated(variant: &Ident, separator: char) -> String {
    let mut word = String::new();
    for letter in variant.unraw().to_string().chars() {
        if letter.is_uppercase() && !word.is_empty() {
            word.push(separator);
        }
        word.extend(letter.to_lowercase());
    }
    word
}

//! How Rust names are spelled in YAML and on the wire, and which names a tool can have.

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

/// Longest name of a tool, in bytes: what model providers accept as the name of a function.
const LONGEST_TOOL_NAME: usize = 64;

/// The name that the harness keeps for the transport by which a model calls tools from code.
const RESERVED_TOOL_NAME: &str = "run_code";

/// Whether a tool can have a name.
///
/// # Errors
/// What names of tools are made of, or that this one is reserved.
pub fn check_tool_name(name: &str) -> Result<(), &'static str> {
    let fine = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    if name.is_empty() || name.len() > LONGEST_TOOL_NAME || !name.chars().all(fine) {
        return Err("a tool's name has letters, digits, `_` and `-`, at most 64 of them");
    }
    if name == RESERVED_TOOL_NAME { Err("this tool name is reserved") } else { Ok(()) }
}

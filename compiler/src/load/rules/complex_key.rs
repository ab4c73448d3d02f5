//! Keys that are not words.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0012`
pub static RULE: Rule = Rule::error(
    "DSH0012",
    "a key is not a plain word or string",
    "YAML allows lists, mappings and tagged values as keys; nothing in a composition has such a key.",
);

/// `place` is the key.
pub fn complex_key(place: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, "a key must be a word or a string").at(place, "not a word or a string")
}

//! YAML's own ways to repeat a value.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0006`
pub static RULE: Rule = Rule::error("DSH0006", "anchors, aliases and merge keys are not part of the language", include_str!("anchor.md"));

/// `&name` before a value.
pub fn anchor(place: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, "YAML anchors are not allowed").at(place, "an anchor").help("remove it and write the value out where it is used")
}

/// `*name` in place of a value.
pub fn alias(place: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, "YAML aliases are not allowed")
        .at(place, "an alias")
        .help("write the value out; a string that starts with `*` needs quotes")
}

/// The key `<<`.
pub fn merge(place: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, "YAML merge keys are not allowed")
        .at(place, "a merge key")
        .help("write the merged keys out; a key that is the text `<<` needs quotes")
}

//! More than one document in a file.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0009`
pub static RULE: Rule = Rule::error("DSH0009", "a file holds a second document", include_str!("second_document.md"));

/// `place` is the separator.
pub fn second_document(place: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, "the file holds a second YAML document")
        .at(place, "the second document starts here")
        .help("put it into a file of its own, or remove the `---`")
}

//! Crates that cannot be in one program.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0138`
pub(crate) static RULE: Rule = Rule::error("DSH0138", "the crates of a profile do not fit together", include_str!("apart.md"));

/// `place` is the list, `words` what cargo said.
pub(crate) fn apart(place: &Place, words: &str) -> Diagnostic {
    Diagnostic::new(&RULE, "the crates of this profile do not fit together")
        .at(place, "each by itself can be had")
        .note(format!("cargo says: {words}"))
        .help("make their dependencies agree")
}

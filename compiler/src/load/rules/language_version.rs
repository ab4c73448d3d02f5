//! A profile in another version of the language.

use crate::diagnostics::{Diagnostic, Rule};
use dsh_language::load::Node;

/// `DSH0105`
pub static RULE: Rule =
    Rule::error("DSH0105", "a profile is written in another version of the language", include_str!("language_version.md"));

/// The value of `dsh`.
pub fn language_version(node: &Node) -> Diagnostic {
    Diagnostic::new(&RULE, "this version of the composition language is not supported")
        .at(&node.place, format!("found {}", node.describe()))
        .note("this compiler reads version 1")
        .help("write `dsh: 1`, or use a compiler that reads the profile's version")
}

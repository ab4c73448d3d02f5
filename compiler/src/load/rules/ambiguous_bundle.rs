//! Two files for one bundle.

use crate::diagnostics::{Diagnostic, Rule};
use dsh_language::load::Named;

/// `DSH0120`
pub static RULE: Rule = Rule::error("DSH0120", "two files could be the bundle that a profile lists", include_str!("ambiguous_bundle.md"));

/// Both files.
pub fn ambiguous_bundle(name: &Named, files: &[String]) -> Diagnostic {
    Diagnostic::new(&RULE, format!("more than one bundle is named `{}`", name.text))
        .at(&name.place, "which of them is meant is not clear")
        .note(format!("found {}", crate::diagnostics::quoted(files.iter().map(String::as_str))))
        .help("rename one of the files, and the entry here with it")
}

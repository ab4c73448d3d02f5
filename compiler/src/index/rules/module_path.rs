//! `#[path]` on a module.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule::error("DSH0404", "a module of a plugin uses `#[path]`", include_str!("module_path.md"));

/// Makes the diagnostic.
pub(crate) fn module_path(at: &Place, name: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("the module `{name}` takes its file from `#[path]`"))
        .at(at, "not followed")
        .help(format!("move the file to where `mod {name};` finds it and remove the attribute"))
}

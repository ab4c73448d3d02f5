//! A declaration in a file whose module stands under `cfg`.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule::error("DSH0406", "a declaration stands in a module under `cfg`", include_str!("conditional_file.md"));

/// Makes the diagnostic.
pub(crate) fn conditional_file(at: &Place, name: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("the declaration of `{name}` depends on `cfg`"))
        .at(at, "the module of this file stands under `cfg`")
        .help("declare it in a module without `cfg`")
}

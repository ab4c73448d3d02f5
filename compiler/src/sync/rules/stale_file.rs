//! A generated file that is not what its profile, or the declarations, give.

use crate::diagnostics::{Diagnostic, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule::error("DSH0501", "a generated file is stale or missing", include_str!("stale_file.md"));

/// Makes the diagnostic.
pub(crate) fn stale_file(file: &str) -> Diagnostic {
    let help = "run `dsh-build sync`, with the folder of the profile where that lies outside of the workspace, and commit what it writes";
    Diagnostic::new(&RULE, format!("`{file}` is not what `dsh-build sync` writes")).help(help)
}

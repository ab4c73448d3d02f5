//! A generated file that is not what its profile, or the declarations, give.

use crate::diagnostics::{Diagnostic, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule::error(
    "DSH0501",
    "a generated file is stale or missing",
    "Generated files are committed so that a change of wiring is reviewed like any other, and so that editors have schemas that are right. \
     `dsh-build sync` writes them again.",
);

/// Makes the diagnostic.
pub(crate) fn stale_file(file: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("`{file}` is not what `dsh-build sync` writes")).help("run `dsh-build sync` and commit what it writes")
}

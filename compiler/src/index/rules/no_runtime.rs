//! A workspace without the runtime.

use crate::diagnostics::{Diagnostic, Rule};
use crate::index::RUNTIME;

/// The rule.
pub(crate) static RULE: Rule = Rule::environment("DSH0491", "the workspace has no runtime", include_str!("no_runtime.md"));

/// Makes the diagnostic.
pub(crate) fn no_runtime() -> Diagnostic {
    Diagnostic::new(&RULE, format!("no package of the workspace is or needs `{RUNTIME}`"))
        .help("name the right workspace with `--workspace DIR`")
}

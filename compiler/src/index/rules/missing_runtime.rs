//! A plugin in a crate without the runtime.

use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::index::RUNTIME;

/// The rule.
pub(crate) static RULE: Rule =
    Rule::error("DSH0418", "a crate has a plugin and does not depend on the runtime", include_str!("missing_runtime.md"));

/// Makes the diagnostic; `manifest` is the crate's.
pub(crate) fn missing_runtime(package: &str, at: &Place, manifest: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("`{package}` has a plugin and does not depend on `{RUNTIME}`"))
        .at(at, "a plugin")
        .note(format!("its manifest is `{manifest}`"))
        .help(format!(
            "add `{RUNTIME}` under `[dependencies]` there: `{RUNTIME}.workspace = true` in the workspace, else by path or revision"
        ))
}

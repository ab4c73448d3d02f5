//! A workspace without the runtime.

use crate::diagnostics::{Diagnostic, Rule};
use crate::index::RUNTIME;

/// The rule.
pub(crate) static RULE: Rule = Rule::environment(
    "DSH0491",
    "the workspace has no runtime",
    "A plugin is a crate that depends on `dsh-runtime`, and so is every binary that is built. A workspace whose packages do not lead to it \
     is another project's.",
);

/// Makes the diagnostic.
pub(crate) fn no_runtime() -> Diagnostic {
    Diagnostic::new(&RULE, format!("no package of the workspace is or needs `{RUNTIME}`"))
        .help("name the right workspace with `--workspace DIR`")
}

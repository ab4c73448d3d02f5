//! Crates from outside the workspace, which this version cannot build.

use crate::diagnostics::{Diagnostic, Rule};
use crate::load::Named;

/// `DSH0133`
pub static RULE: Rule = Rule::error(
    "DSH0133",
    "crates from outside the workspace are not supported by this version",
    "`crates` lists plugin crates that are not members of the workspace. This compiler reads the list but cannot build such crates yet.",
);

/// The crate.
pub fn unsupported_crate(name: &Named) -> Diagnostic {
    Diagnostic::new(&RULE, "crates from outside the workspace are not supported by this version")
        .at(&name.place, "not a member of the workspace")
        .help("put the crate under `plugins/` of the workspace and remove it from `crates`")
}

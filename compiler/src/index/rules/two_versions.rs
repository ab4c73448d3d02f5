//! Two versions of a package that declares something.

use crate::diagnostics::{Diagnostic, Rule};

/// The rule.
pub(crate) static RULE: Rule =
    Rule::error("DSH0410", "two versions of one package with declarations are in the graph", include_str!("two_versions.md"));

/// Makes the diagnostic; a chain names packages from a member of the workspace to the version.
pub(crate) fn two_versions(package: &str, chains: &[Vec<String>]) -> Diagnostic {
    let title = format!("{} versions of `{package}` are in the dependency graph", chains.len());
    let noted = chains.iter().fold(Diagnostic::new(&RULE, title), |diagnostic, chain| diagnostic.note(chain.join(" -> ")));
    noted.help(format!("make the dependencies agree on one version of `{package}`"))
}

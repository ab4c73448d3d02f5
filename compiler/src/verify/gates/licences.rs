//! Everything that is linked or run may be used as the project is.

use super::super::{Check, Cost, Gate, Scope, Tree};
use super::manifest_place::mention;
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};
use crate::index::MetadataPackage;

/// Licences that ask for no more than a notice. Each is named by its SPDX identifier.
const ALLOWED: [&str; 9] =
    ["MIT", "MIT-0", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "Zlib", "Unicode-3.0", "CDLA-Permissive-2.0"];

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "licences",
    rule: Rule::error(
        "DSH0619",
        "a package's licence is not among those that are accepted",
        "A binary holds other people's code, and whoever ships it must keep to their terms. Accepted are licences that ask for a notice alone; the \
         notices are kept. A package without a licence may not be used at all.",
    ),
    fix: "use another package, or, when its terms can be kept, list it in `docs/exemptions.yml`",
    cost: Cost::Reads,
    scope: Scope::Plugins,
    check: Check::Tree(check),
};

fn check(tree: &Tree, found: &mut Diagnostics) {
    let lock = tree.file("Cargo.toml");
    // Under what a plugin outside of a workspace is given away is for its author to say.
    let is_judged = |package: &&MetadataPackage| tree.is_in(Scope::Workspace) || tree.folder_of(package).is_none();
    for package in tree.metadata.packages.iter().filter(is_judged) {
        let fault = match package.license.as_deref() {
            None => Some("names no licence".to_owned()),
            Some(terms) if is_accepted(terms) => None,
            Some(terms) => Some(format!("has the licence `{terms}`")),
        };
        if let (Some(fault), Some(manifest)) = (fault, lock) {
            let title = format!("`{} {}` {fault}", package.name, package.version);
            found.report(Diagnostic::new(&GATE.rule, title).at(&mention(manifest, &package.name), "somewhere below this workspace"));
        }
    }
}

/// Whether one of the choices that an expression leaves is accepted whole.
fn is_accepted(terms: &str) -> bool {
    // Old manifests write `/` for a choice.
    let mode = spdx::ParseMode { allow_slash_as_or_operator: true, ..spdx::ParseMode::LAX };
    let expression = spdx::Expression::parse_mode(terms, mode);
    expression.is_ok_and(|expression| expression.evaluate(|wanted| wanted.license.id().is_some_and(|id| ALLOWED.contains(&id.name))))
}

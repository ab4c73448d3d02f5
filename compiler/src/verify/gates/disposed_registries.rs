//! What is registered goes with whoever registered it, and a test shows it.

use super::super::{Check, Cost, Gate, Scope, Tree};
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};
use crate::index::Index;

/// How the name of such a test ends.
const TEST: &str = "leaves_nothing";

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "disposed-registries",
    rule: Rule::error(
        "DSH0627",
        "no test shows that a registry forgets a contributor",
        "A service that others register something with undoes it when they are torn down. Each package that declares such a service has a test \
         whose name holds `leaves_nothing`: it registers, tears the contributor down, and finds nothing left.",
    ),
    fix: "write the test, with the harness of `dsh-testkit`",
    cost: Cost::Reads,
    scope: Scope::Plugins,
    check: Check::Declarations(check),
};

fn check(tree: &Tree, index: &Index, found: &mut Diagnostics) {
    for (id, service) in &index.services {
        let folder_of = |name: &str| tree.packages().find(|(package, _)| package.name == name).map(|(_, folder)| folder);
        let Some(folder) = folder_of(&id.package) else { continue };
        // A registry that another package provides is tested there.
        let providers = index.plugins.values().filter(|plugin| plugin.provides.contains(id));
        let homes: Vec<String> = providers
            .filter_map(|plugin| folder_of(&plugin.declared.id.package))
            .chain([folder.clone()])
            .map(|home| Tree::joined(&home, ""))
            .collect();
        let inside = |path: &str| homes.iter().any(|home| path.starts_with(home));
        let is_source = |path: &str| path.starts_with(&Tree::joined(&folder, "src/"));
        let takes_contributor = |text: &str| text.contains("effects: &EffectStack") || text.contains("effects().push");
        let is_registry = tree.files_with(".rs").any(|(path, file)| is_source(path) && takes_contributor(file.text()));
        let is_shown = tree.files_with(".rs").any(|(path, file)| inside(path) && file.text().contains(TEST));
        if is_registry && !is_shown {
            let title = format!("no test of `{}` shows that `{}` forgets a contributor", id.package, service.decl.key.value);
            found.report(Diagnostic::new(&GATE.rule, title).at(&service.place, "a registry"));
        }
    }
}

//! Every service has someone who provides it and someone who takes it.

use super::super::{Check, Cost, Gate, Scope, Tree};
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};
use crate::index::{Index, ItemId, WantKind};

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "seams-complete",
    rule: Rule::error(
        "DSH0611",
        "a service lacks a provider or a consumer",
        "A service stands between those who need something and those who can do it. One without a provider cannot be composed, one that nobody \
         injects separates nothing. One that is there for plugins of others has an entry in `docs/exemptions.yml`.",
    ),
    fix: "write the missing side, or remove the service",
    cost: Cost::Reads,
    scope: Scope::Workspace,
    check: Check::Declarations(check),
};

fn check(_tree: &Tree, index: &Index, found: &mut Diagnostics) {
    for (id, service) in &index.services {
        let provided = index.plugins.values().any(|plugin| plugin.provides.contains(id));
        let wanted = index.plugins.values().any(|plugin| plugin.wants.iter().any(|want| asks_for(&want.kind, id)));
        // The registry that tools are entered in is asked for by their declarations.
        let contributed =
            *id == crate::check::tool_registry() && index.plugins.values().any(|plugin| !plugin.declared.decl.tools.is_empty());
        let key = &service.decl.key.value;
        if !provided {
            found
                .report(Diagnostic::new(&GATE.rule, format!("nobody provides `{key}`")).at(&service.place, "a service without a provider"));
        }
        if !wanted && !contributed {
            found.report(Diagnostic::new(&GATE.rule, format!("nobody injects `{key}`")).at(&service.place, "a service without a consumer"));
        }
    }
}

fn asks_for(want: &WantKind, id: &ItemId) -> bool {
    matches!(want, WantKind::Required(service) | WantKind::Optional(service) if service == id)
}

//! Every event has one name and someone who dispatches it.

use std::collections::BTreeMap;

use super::super::{Check, Cost, Gate, Scope, Tree};
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};
use crate::index::{Declared, Index, ItemId, WantKind};

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "event-table",
    rule: Rule::error(
        "DSH0628",
        "an event is declared twice or never dispatched",
        "Whoever reads of an event in a log, a graph or a document finds its declaration by its name, so no two have the same. A listener of an event \
         that no plugin dispatches waits for ever. That mode, payload and failure are the declared ones is a matter of types; which plugins \
         dispatch and hear an event in a profile stands in its generated files.",
    ),
    fix: "give the event another name, inject a `Dispatcher` of it where it happens, or remove it",
    cost: Cost::Reads,
    scope: Scope::Workspace,
    check: Check::Declarations(check),
};

fn check(_tree: &Tree, index: &Index, found: &mut Diagnostics) {
    let mut named: BTreeMap<&str, &ItemId> = BTreeMap::new();
    for (id, event) in &index.events {
        let Declared { decl, place, .. } = event;
        let name = decl.event.value.as_str();
        if let Some(other) = named.insert(name, id) {
            let title = format!("`{}` of `{}` is called `{name}` too", other.name, other.package);
            found.report(Diagnostic::new(&GATE.rule, title).at(place, "an event of the same name"));
        }
        let wants = index.plugins.values().flat_map(|plugin| &plugin.wants);
        if !wants.into_iter().any(|want| matches!(&want.kind, WantKind::Dispatch(event) if event == id)) {
            found.report(Diagnostic::new(&GATE.rule, format!("nobody dispatches `{name}`")).at(place, "an event that never happens"));
        }
    }
}

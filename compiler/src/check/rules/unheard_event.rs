//! A listener on an event that nobody dispatches.

use super::dead_row::is_dead;
use crate::check::graph::Graph;
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};
use crate::index::{ItemId, Listen, WantKind};

/// `DSH0310`
pub static RULE: Rule = Rule::warning("DSH0310", "a row listens to an event that no row dispatches", include_str!("unheard_event.md"));

/// Warns of listeners that run in no combination of conditions, in rows that have another effect.
pub fn unheard_events(graphs: &[Graph<'_>], problems: &mut Diagnostics) {
    let Some(graph) = graphs.first() else { return };
    for (at, row) in graph.rows.mounted.iter().enumerate() {
        let on: Vec<&Graph<'_>> = graphs.iter().filter(|graph| row.is_on(graph.combination)).collect();
        let is_idle = |listen: &&Listen| !listen.optional && on.iter().all(|graph| !is_dispatched(graph, &listen.event));
        for listen in row.plugin.listens.iter().filter(is_idle).filter(|_| on.iter().any(|graph| !is_dead(graph, at))) {
            let event = name(graph, &listen.event);
            problems.report(
                Diagnostic::new(&RULE, format!("no row dispatches the event {event}"))
                    .at(graph.plugin_place(at), format!("row `{}` listens to it", graph.id(at)))
                    .help(with_dispatchers(graph, &listen.event)),
            );
        }
    }
}

fn with_dispatchers(graph: &Graph<'_>, event: &ItemId) -> String {
    let dispatches = |wants: &[crate::index::Want]| wants.iter().any(|want| want.kind == WantKind::Dispatch(event.clone()));
    let plugins = graph.index.plugins.values().filter(|plugin| dispatches(&plugin.wants)).map(|plugin| plugin.name.as_str());
    let names = crate::diagnostics::quoted(plugins);
    if names.is_empty() { "no plugin of the workspace dispatches it".to_owned() } else { format!("plugins that dispatch it: {names}") }
}

/// Whether a row that mounts dispatches an event.
pub fn is_dispatched(graph: &Graph<'_>, event: &ItemId) -> bool {
    graph.on().any(|row| graph.rows.mounted[row].plugin.wants.iter().any(|want| want.kind == WantKind::Dispatch(event.clone())))
}

/// How messages name an event: by its own name.
pub fn name(graph: &Graph<'_>, event: &ItemId) -> String {
    let declared = graph.index.events.get(event);
    format!("`{}`", declared.map_or(event.name.as_str(), |declared| declared.decl.event.value.as_str()))
}

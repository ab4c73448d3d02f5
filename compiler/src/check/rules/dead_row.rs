//! A row that does nothing in its composition.

use super::unheard_event::is_dispatched;
use super::unused_service::is_used;
use crate::check::graph::Graph;
use crate::check::rows::{DisabledRow, MountedRow};
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};
use crate::index::{PluginEntry, WantKind};

/// `DSH0308`
pub static RULE: Rule = Rule::error("DSH0308", "nothing that a row contributes has any effect", include_str!("dead_row.md"));

/// Reports rows whose every contribution is dead.
pub fn dead_rows(graph: &Graph<'_>, problems: &mut Diagnostics) {
    for row in graph.on().filter(|row| is_dead(graph, *row)) {
        let plugin = graph.rows.mounted[row].plugin;
        let services = plugin.provides.iter().map(|service| format!("no row injects {}", graph.key(service)));
        let events = plugin.listens.iter().map(|listen| format!("no row dispatches {}", super::unheard_event::name(graph, &listen.event)));
        let reasons: Vec<String> = services.chain(events).collect();
        let found = Diagnostic::new(&RULE, format!("row `{}` has no effect here", graph.id(row)))
            .at(graph.plugin_place(row), format!("nothing that `{}` contributes is used", plugin.name))
            .note(reasons.join(", "));
        problems.report(with_absent_users(found, graph, row));
    }
}

/// Shows the rows that would use a service of a dead row if they were not disabled, or off in this combination of conditions, and says
/// what helps.
fn with_absent_users(mut found: Diagnostic, graph: &Graph<'_>, dead: usize) -> Diagnostic {
    let MountedRow { row: dead, plugin, .. } = &graph.rows.mounted[dead];
    let uses = |user: &PluginEntry| {
        user.wants.iter().any(|want| match &want.kind {
            WantKind::Required(service) | WantKind::Optional(service) => plugin.provides.contains(service),
            WantKind::Dispatch(_) => false,
        })
    };
    let mut has_condition = false;
    for DisabledRow { row, by, .. } in graph.rows.disabled.iter().filter(|row| uses(row.plugin)) {
        found = found.and(&by.key, format!("row `{}` would use it, and is disabled here", row.id.text));
    }
    for row in graph.rows.mounted.iter().filter(|row| !row.is_on(graph.combination) && uses(row.plugin)) {
        if let Some((_, given)) = row.condition {
            found = found.and(&given.place, format!("row `{}` would use it, and is off where this is true", row.id));
            has_condition = true;
        }
    }
    let way_out = match has_condition {
        true => "give the row the same condition".to_owned(),
        false => format!("take the row out with `- {{id: {}, disabled: true}}`", dead.id.text),
    };
    found.help(format!("{way_out}, or add the row that was meant to use it"))
}

/// A plugin that takes a service or dispatches an event acts when it mounts, in ways that its declaration does not show.
pub fn is_dead(graph: &Graph<'_>, row: usize) -> bool {
    let plugin = graph.rows.mounted[row].plugin;
    let decl = &plugin.declared.decl;
    let contributes = !plugin.provides.is_empty() || !plugin.listens.is_empty();
    contributes
        && plugin.wants.is_empty()
        && decl.tools.is_empty()
        && decl.verbs.is_empty()
        && decl.serve.is_none()
        && !plugin.provides.iter().any(|service| is_used(graph, row, service))
        && !plugin.listens.iter().any(|listen| is_dispatched(graph, &listen.event))
}

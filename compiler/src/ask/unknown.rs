//! A name that nothing in a composition has.

use std::fmt::{self, Display};

use super::Composed;
use super::config_field::{keys, steps};
use super::parts::parts;
use crate::diagnostics::{nearest, quoted};

/// A name that is none of a row, service, tool, event or field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The name.
    pub asked: String,
    /// Profile name.
    pub profile: String,
    /// For a path the nearest field, else the nearest name of each kind that has one near enough; sorted.
    pub near: Vec<String>,
}

impl Unknown {
    /// Looks for what was meant.
    #[must_use]
    pub(super) fn new(composed: &Composed<'_>, asked: &str) -> Self {
        let Composed { composition, plan, index } = composed;
        let rows: Vec<String> = composition.all_rows().map(|(id, _)| id).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let services = index.services.values().map(|service| service.decl.key.value.as_str());
        let tools = plan.all_contributions().flat_map(|contribution| contribution.tools.iter().map(String::as_str));
        let events = index.events.values().map(|event| event.decl.event.value.as_str());
        let near = [nearest(asked, rows.iter().copied()), nearest(asked, services), nearest(asked, tools), nearest(asked, events)];
        // Whoever writes a path means a field.
        let mut near: Vec<String> = match nearest_field(composed, asked, &rows) {
            Some(field) => vec![field],
            None => near.into_iter().flatten().map(str::to_owned).chain(rows_with(composed, asked)).collect(),
        };
        near.sort();
        near.dedup();
        Self { asked: asked.to_owned(), profile: plan.profile.clone(), near }
    }
}

/// What a name that is no row's id may be of rows: their plugin, or a field of their config.
fn rows_with(composed: &Composed<'_>, asked: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (id, row) in composed.composition.all_rows() {
        let Some(plugin) = row.plugin_name() else { continue };
        let fields = composed.index.plugins.get(plugin).map(|plugin| keys(composed.index, plugin)).unwrap_or_default();
        if fields.contains(&asked) {
            found.push(format!("{id}.{asked}"));
        }
        if plugin == asked {
            found.push(id);
        }
    }
    found
}

/// The nearest field of the row that the path starts with, or would start with.
fn nearest_field(composed: &Composed<'_>, asked: &str, rows: &[&str]) -> Option<String> {
    let (id, path) = asked.split_once('.')?;
    let id = rows.iter().copied().find(|row| *row == id).or_else(|| nearest(id, rows.iter().copied()))?;
    let row = composed.composition.row(id)?;
    let written = parts(row, composed.index).into_iter().map(|part| part.key.trim_start_matches("config.").to_owned());
    let declared = row.plugin_name().and_then(|name| composed.index.plugins.get(name)).map(|plugin| keys(composed.index, plugin));
    let known: Vec<String> = written.chain(declared.into_iter().flatten().map(str::to_owned)).collect();
    let exact = known.iter().find(|key| steps(key) == steps(path)).map(String::as_str);
    exact.or_else(|| nearest(path, known.iter().map(String::as_str))).map(|key| format!("{id}.{key}"))
}

impl Display for Unknown {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { asked, profile, near } = self;
        write!(out, "`{asked}` is no row, service, tool, event or field of profile `{profile}`")?;
        match near.as_slice() {
            [] => write!(out, "\nhelp: `dsh-build plan --profile {profile}` shows what it has"),
            [one] => write!(out, "\nhelp: a similar name exists: `{one}`"),
            several => write!(out, "\nhelp: similar names exist: {}", quoted(several.iter().map(String::as_str))),
        }
    }
}

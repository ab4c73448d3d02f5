//! A change that only a build can make.

use super::build;
use crate::diagnostics::{Diagnostic, Place, Rule, quoted};
use crate::load::{Change, Insert};

/// `DSH0701`
pub static RULE: Rule =
    Rule::error("DSH0701", "an overlay asks a finished binary for what only a build can do", include_str!("not_honoured.md"));

/// Rows that an overlay adds.
pub fn inserts(insert: &Insert, profile: &str) -> Diagnostic {
    let rows = quoted(insert.rows.iter().map(|row| row.id.text.as_str()));
    let label = if rows.is_empty() { "adds rows".to_owned() } else { format!("adds {rows}") };
    refused("a finished binary cannot add rows".to_owned(), &insert.key, label, profile)
}

/// The keys of a change that the binary cannot honour; `is_group` tells a group from a row.
pub fn not_honoured(change: &Change, is_group: bool, profile: &str) -> Vec<Diagnostic> {
    let (id, settings) = (&change.id.text, &change.settings);
    let plugin = settings.plugin.as_ref().map(|given| (&given.key, "replace the plugin of row", "names a plugin"));
    let isolate = settings.isolate.as_ref().map(|given| (&given.key, "change the realm of row", "asks for a realm"));
    let config = settings.config.as_ref().filter(|_| is_group).map(|given| (&given.key, "configure the group", "belongs to a row"));
    let keys = [plugin, isolate, config].into_iter().flatten();
    keys.map(|(key, does, label)| refused(format!("a finished binary cannot {does} `{id}`"), key, label.to_owned(), profile)).collect()
}

fn refused(title: String, place: &Place, label: String, profile: &str) -> Diagnostic {
    Diagnostic::new(&RULE, title).at(place, label).help(build(profile, place))
}

//! Service keys of `isolate` that isolate nothing.

use std::collections::BTreeSet;

use crate::check::groups::Group;
use crate::check::rows::{MountedRow, Rows};
use crate::diagnostics::{Diagnostic, Diagnostics, Rule, nearest};
use crate::index::{Index, WantKind};
use crate::load::Named;

/// `DSH0312`
pub static RULE: Rule =
    Rule::error("DSH0312", "`isolate` names a service that nothing inside provides or needs", include_str!("isolated_key.md"));

/// Reports each key of an `isolate` that changes nothing.
pub fn isolated_keys(rows: &Rows<'_>, index: &Index, problems: &mut Diagnostics) {
    let known: BTreeSet<&str> = index.services.values().map(|service| service.decl.key.value.as_str()).collect();
    for (at, group) in rows.groups.known.iter().enumerate() {
        for (position, key) in group.isolates().iter().enumerate() {
            let first = group.isolates()[..position].iter().find(|other| other.text == key.text);
            if !known.contains(key.text.as_str()) {
                problems.report(unknown_key(key, &known));
            } else if let Some(first) = first {
                problems.report(named_twice(key, group, first));
            } else if rows.is_whole && !touches(rows, at, key, index) {
                problems.report(without_effect(key, group, "no row inside provides or injects it"));
            }
        }
    }
}

/// Whether a row inside a group, disabled or not, provides or injects a service.
fn touches(rows: &Rows<'_>, group: usize, key: &Named, index: &Index) -> bool {
    let is_inside = |row: &&MountedRow<'_>| rows.groups.around(row.group).any(|(around, _)| around == group);
    let provides = |row: &MountedRow<'_>| row.plugin.provides.iter().any(|service| index.service_key(service) == key.text);
    let wants = |row: &MountedRow<'_>| {
        row.plugin.wants.iter().any(|want| match &want.kind {
            WantKind::Required(service) | WantKind::Optional(service) => index.service_key(service) == key.text,
            WantKind::Dispatch(_) => false,
        })
    };
    let has_tools =
        |row: &MountedRow<'_>| !row.plugin.declared.decl.tools.is_empty() && index.service_key(&crate::check::tool_registry()) == key.text;
    rows.mounted.iter().filter(is_inside).any(|row| provides(row) || wants(row) || has_tools(row))
}

fn unknown_key(key: &Named, known: &BTreeSet<&str>) -> Diagnostic {
    let found = Diagnostic::new(&RULE, format!("no service has the key `{}`", key.text)).at(&key.place, "no such service");
    match nearest(&key.text, known.iter().copied()) {
        Some(near) => found.help(format!("a service with a similar key exists: `{near}`")),
        None => found.note(format!("known keys: {}", crate::diagnostics::quoted(known.iter().copied()))),
    }
}

fn without_effect(key: &Named, group: &Group<'_>, why: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("`isolate` of group `{}` changes nothing for `{}`", group.row.id.text, key.text))
        .at(&key.place, why)
        .help("remove the key, or insert the rows that were meant to share the service into the group")
}

fn named_twice(key: &Named, group: &Group<'_>, first: &Named) -> Diagnostic {
    Diagnostic::new(&RULE, format!("`isolate` of group `{}` names `{}` twice", group.row.id.text, key.text))
        .at(&key.place, "named again here")
        .and(&first.place, "first named here")
        .help("remove one of the two")
}

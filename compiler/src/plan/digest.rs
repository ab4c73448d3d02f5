//! The composition digest and what it is made of.

use std::collections::BTreeMap;
use std::fmt::Write;

use dsh_declare::digest::fnv1a;
use dsh_language::{DigestedRow, composition_digest, row_digest};

use super::{all_rows, entry};
use crate::check::{Checked, CheckedRow};
use crate::index::Index;

/// Digests of a composition.
pub(super) struct Digest {
    /// Of the whole: 16 hex digits.
    pub composition: String,
    /// Of what is around the rows.
    pub frame: u64,
    /// Of each row, by id.
    pub rows: BTreeMap<String, u64>,
}

/// Of a checked composition.
pub(super) fn digest(checked: &Checked, index: &Index) -> Digest {
    let of_row = |row: &CheckedRow| {
        let digested = DigestedRow {
            id: &row.id,
            plugin: &row.plugin,
            digest: entry(index, &row.plugin).declared.digest,
            config: row.config.as_ref(),
            groups: row.groups.iter().map(String::as_str).collect(),
            off_when: row.disabled.as_ref().map(|disabled| disabled.text.as_str()),
        };
        row_digest(&digested, fnv1a)
    };
    let rows: Vec<(String, u64)> = all_rows(checked).map(|row| (row.id.clone(), of_row(row))).collect();
    let frame = fnv1a(frame(checked).as_bytes());
    let composition = composition_digest(frame, rows.iter().map(|(_, digest)| *digest), fnv1a);
    Digest { composition, frame, rows: rows.into_iter().collect() }
}

/// The profile's name, its groups, and which rows are a preset's.
fn frame(checked: &Checked) -> String {
    let mut text = format!("profile {:?} {:?}\n", checked.profile, checked.aliases);
    if checked.is_sealed {
        text.push_str("sealed\n");
    }
    for name in checked.fixed.names() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "fixed {name:?} {:?}", checked.fixed.value(name));
    }
    for group in &checked.groups {
        let condition = group.disabled.as_ref().map(|disabled| &disabled.text);
        let _ = writeln!(text, "group {:?} in {:?} isolates {:?} off when {condition:?}", group.id, group.parent, group.isolates);
    }
    for preset in &checked.presets {
        let _ = writeln!(text, "preset {:?} of {:?}", preset.name, preset.rows.iter().map(|row| &row.id).collect::<Vec<_>>());
    }
    text
}

//! How two profiles differ.

use std::fmt::{self, Display};

use serde::Serialize;

use super::Composed;
use super::parts::{Part, Written, parts};
use crate::resolve::Row;

/// The differences between the rows of two profiles, as they are written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Name of the first profile.
    pub left: String,
    /// Name of the second profile.
    pub right: String,
    /// Rows that only the first has.
    pub only_left: Vec<OnlyRow>,
    /// Rows that only the second has.
    pub only_right: Vec<OnlyRow>,
    /// Rows of both that are not the same.
    pub changed: Vec<ChangedRow>,
    /// Rows that mount in both and stand elsewhere among those that do.
    pub moved: Vec<MovedRow>,
}

/// A row of one profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OnlyRow {
    /// Row id.
    pub id: String,
    /// Plugin name.
    pub plugin: String,
    /// Where it was inserted.
    pub at: String,
}

/// A row of both profiles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedRow {
    /// Row id.
    pub id: String,
    /// Parts that differ.
    pub parts: Vec<ChangedPart>,
}

/// A part of a row that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedPart {
    /// `plugin`, `disabled`, `isolate`, `group` or a path that starts with `config`.
    pub key: String,
    /// What the first profile gives.
    pub left: Option<Written>,
    /// What the second profile gives.
    pub right: Option<Written>,
}

/// A row that mounts after another one than in the other profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MovedRow {
    /// Row id.
    pub id: String,
    /// The row of both profiles that mounts just before it in the first; `None` when it is the first of them.
    pub left_after: Option<String>,
    /// The same in the second.
    pub right_after: Option<String>,
}

impl Difference {
    /// Compares two profiles that were composed with the same declarations.
    #[must_use]
    pub fn new(left: &Composed<'_>, right: &Composed<'_>) -> Self {
        let only = |one: &Composed<'_>, other: &Composed<'_>| {
            let rows = one.composition.all_rows().filter(|(id, _)| other.composition.row(id).is_none());
            rows.map(|(id, row)| OnlyRow::new(id, row)).collect()
        };
        let both = left.composition.all_rows().filter_map(|(id, row)| {
            let other = right.composition.row(&id)?;
            Some((id, row, other))
        });
        Self {
            left: left.plan.profile.clone(),
            right: right.plan.profile.clone(),
            only_left: only(left, right),
            only_right: only(right, left),
            changed: both.filter_map(|(id, one, other)| changed(id, one, other, left, right)).collect(),
            moved: moved(left, right),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.only_left.is_empty() && self.only_right.is_empty() && self.changed.is_empty() && self.moved.is_empty()
    }
}

impl OnlyRow {
    fn new(id: String, row: &Row) -> Self {
        let plugin = row.plugin_name().unwrap_or(if row.is_group { "none, a group" } else { "" }).to_owned();
        Self { id, plugin, at: row.id.place.to_string() }
    }
}

fn changed(id: String, left: &Row, right: &Row, one: &Composed<'_>, other: &Composed<'_>) -> Option<ChangedRow> {
    let index = one.index;
    let group = |composed: &Composed<'_>, row: &Row| {
        let written = |group: &String| ("group".to_owned(), Written { value: group.clone(), at: row.id.place.to_string() });
        composed.plan.all_rows().find(|planned| planned.id == id).and_then(|planned| planned.groups.last().map(written))
    };
    let given = |composed: &Composed<'_>, row: &Row| -> Vec<(String, Written)> {
        // `disabled: false` says what its absence says.
        let says = |part: &Part| (part.key != "disabled" || part.value.as_deref() != Some("false")).then(|| part.written()).flatten();
        let parts = parts(row, index);
        parts.iter().filter_map(|part| Some((part.key.clone(), says(part)?))).chain(group(composed, row)).collect()
    };
    let (left_parts, right_parts) = (given(one, left), given(other, right));
    let of = |parts: &[(String, Written)], key: &str| parts.iter().find(|(known, _)| known == key).map(|(_, written)| written.clone());
    let added = right_parts.iter().filter(|(key, _)| of(&left_parts, key).is_none());
    let compare = |(key, _): &(String, Written)| {
        let (one, other) = (of(&left_parts, key), of(&right_parts, key));
        let differs = one.as_ref().map(|written| &written.value) != other.as_ref().map(|written| &written.value);
        differs.then(|| ChangedPart { key: key.clone(), left: one, right: other })
    };
    let parts: Vec<ChangedPart> = left_parts.iter().chain(added).filter_map(compare).collect();
    (!parts.is_empty()).then_some(ChangedRow { id, parts })
}

/// The rows outside of a longest run of rows that keep their order.
fn moved(left: &Composed<'_>, right: &Composed<'_>) -> Vec<MovedRow> {
    let mounts = |composed: &Composed<'_>| composed.plan.all_rows().map(|row| row.id.clone()).collect::<Vec<_>>();
    let (all_left, all_right) = (mounts(left), mounts(right));
    let one: Vec<&String> = all_left.iter().filter(|id| all_right.contains(id)).collect();
    let other: Vec<&String> = all_right.iter().filter(|id| all_left.contains(id)).collect();
    let places: Vec<usize> = one.iter().filter_map(|id| other.iter().position(|known| known == id)).collect();
    let kept = longest_increasing(&places);
    let after = |ids: &[&String], at: usize| at.checked_sub(1).map(|before| ids[before].clone());
    let row = |at: usize| MovedRow { id: one[at].clone(), left_after: after(&one, at), right_after: after(&other, places[at]) };
    (0..one.len()).filter(|at| !kept.contains(at)).map(row).collect()
}

/// Places of a longest subsequence whose values increase.
fn longest_increasing(values: &[usize]) -> Vec<usize> {
    let mut chains: Vec<Vec<usize>> = Vec::with_capacity(values.len());
    for (at, value) in values.iter().enumerate() {
        let best = chains.iter().filter(|chain| chain.last().is_some_and(|last| values[*last] < *value)).max_by_key(|chain| chain.len());
        let chain = best.into_iter().flatten().copied().chain([at]).collect();
        chains.push(chain);
    }
    chains.into_iter().rev().max_by_key(Vec::len).unwrap_or_default()
}

/// For readers, with a line break at the end.
impl Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return writeln!(out, "the rows of {} and {} are the same", self.left, self.right);
        }
        for (name, rows) in [(&self.left, &self.only_left), (&self.right, &self.only_right)] {
            if !rows.is_empty() {
                writeln!(out, "only in {name}:")?;
            }
            for row in rows {
                let plugin = if row.plugin == row.id { String::new() } else { format!(", plugin {}", row.plugin) };
                writeln!(out, "  {}{plugin} ({})", row.id, row.at)?;
            }
        }
        for row in &self.changed {
            writeln!(out, "{}:", row.id)?;
            for part in &row.parts {
                writeln!(out, "  {}", part.key)?;
                self.side(out, &self.left, part.left.as_ref())?;
                self.side(out, &self.right, part.right.as_ref())?;
            }
        }
        if !self.moved.is_empty() {
            writeln!(out, "mount order of the rows of both:")?;
        }
        for row in &self.moved {
            let place = |after: &Option<String>| after.as_ref().map_or_else(|| "first".to_owned(), |row| format!("after {row}"));
            let (left, right) = (place(&row.left_after), place(&row.right_after));
            writeln!(out, "  {}: {left} in {}, {right} in {}", row.id, self.left, self.right)?;
        }
        Ok(())
    }
}

impl Difference {
    fn side(&self, out: &mut fmt::Formatter<'_>, name: &str, written: Option<&Written>) -> fmt::Result {
        let width = self.left.len().max(self.right.len());
        match written {
            Some(Written { value, at }) => writeln!(out, "    {name:width$}  {value} ({at})"),
            None => writeln!(out, "    {name:width$}  not given"),
        }
    }
}

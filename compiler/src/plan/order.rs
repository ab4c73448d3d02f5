//! Mount order: a topological order of what rows need, ties broken by row order.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::check::CheckedRow;

/// Places of the rows in mount order: of the rows whose needs have all mounted, the first in row order is next.
///
/// # Panics
/// When the needs form a cycle.
pub(super) fn mount_order(rows: &[CheckedRow]) -> Vec<usize> {
    let places: BTreeMap<&str, usize> = rows.iter().enumerate().map(|(place, row)| (row.id.as_str(), place)).collect();
    let mut dependents: Vec<Vec<usize>> = vec![Vec::new(); rows.len()];
    let mut missing: Vec<usize> = vec![0; rows.len()];
    for (place, row) in rows.iter().enumerate() {
        // What a row of a preset needs of the composition has mounted long before.
        for needed in row.needs.iter().filter_map(|need| places.get(need.as_str()).copied()) {
            dependents[needed].push(place);
            missing[place] += 1;
        }
    }
    let mut ready: BinaryHeap<Reverse<usize>> =
        missing.iter().enumerate().filter(|(_, count)| **count == 0).map(|(place, _)| Reverse(place)).collect();
    let mut order = Vec::with_capacity(rows.len());
    while let Some(Reverse(place)) = ready.pop() {
        order.push(place);
        for &dependent in &dependents[place] {
            missing[dependent] -= 1;
            if missing[dependent] == 0 {
                ready.push(Reverse(dependent));
            }
        }
    }
    assert_eq!(order.len(), rows.len(), "the needs of the checked rows form a cycle");
    order
}

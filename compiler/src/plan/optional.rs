//! Which rows may be off in a finished binary, so that its wiring holds them as options.

use std::collections::BTreeSet;

use super::model::{Injected, Supply};
use crate::check::{Checked, CheckedRow};

/// The rows that may be off, gathered in mount order.
pub(super) struct Optional<'c> {
    checked: &'c Checked,
    rows: BTreeSet<String>,
}

impl<'c> Optional<'c> {
    pub(super) fn new(checked: &'c Checked) -> Self {
        Self { checked, rows: BTreeSet::new() }
    }

    /// Whether a row may be off, when all that it needs was asked for before. An overlay may switch any row of a binary that is not
    /// sealed off. A row that needs one of several that may be off is held as an option too, since rustc does not know that one is on.
    pub(super) fn may_be_off(&mut self, row: &CheckedRow, injects: &[Injected]) -> bool {
        let has_condition = |id: &String| self.checked.groups.iter().any(|group| group.id == *id && group.disabled.is_some());
        let may_lack = |injected: &Injected| match &injected.supply {
            Supply::Service { rows, optional: false, .. } => rows.iter().any(|row| self.rows.contains(row)),
            Supply::Service { .. } | Supply::Absent(_) | Supply::Dispatcher(_) => false,
        };
        let may_be_off =
            !self.checked.is_sealed || row.disabled.is_some() || row.groups.iter().any(has_condition) || injects.iter().any(may_lack);
        if may_be_off {
            self.rows.insert(row.id.clone());
        }
        may_be_off
    }
}

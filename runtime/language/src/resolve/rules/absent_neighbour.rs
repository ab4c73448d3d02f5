//! Rows inserted beside a row that is not there.

use super::absent_row::with_rows_in_scope;
use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::load::Named;
use crate::resolve::Row;

/// `DSH0114`
pub static RULE: Rule =
    Rule::error("DSH0114", "`before`, `after` or `into` names a row that is not there", include_str!("absent_neighbour.md"));

/// `inserted` is where a later entry inserts the row.
pub fn absent_neighbour(id: &Named, rows: &[Row], inserted: Option<&Place>) -> Diagnostic {
    let found = Diagnostic::new(&RULE, format!("no row `{}` to insert beside", id.text)).at(&id.place, "no row has this id");
    with_rows_in_scope(found, id, rows, inserted)
}

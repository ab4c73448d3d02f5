//! Rows inserted beside a row that is not there.

use super::absent_row::{Elsewhere, with_rows_in_scope};
use crate::diagnostics::{Diagnostic, Rule};
use crate::load::{Position, Relation};
use crate::resolve::Row;

/// `DSH0114`
pub static RULE: Rule =
    Rule::error("DSH0114", "`before`, `after` or `into` names a row that is not there", include_str!("absent_neighbour.md"));

/// `elsewhere` is where there is a row of this id.
pub fn absent_neighbour(position: &Position, rows: &[Row], elsewhere: Option<&Elsewhere<'_>>) -> Diagnostic {
    let id = &position.row;
    let title = match position.relation {
        Relation::Before | Relation::After => format!("no row `{}` to insert beside", id.text),
        Relation::Into => format!("no group `{}` to insert into", id.text),
    };
    with_rows_in_scope(Diagnostic::new(&RULE, title).at(&id.place, "no row has this id"), id, rows, elsewhere)
}

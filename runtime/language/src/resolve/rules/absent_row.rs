//! A change of a row that is not there.

use crate::diagnostics::{Diagnostic, Place, Rule, nearest};
use crate::load::{Change, Named};
use crate::resolve::Row;

/// `DSH0112`
pub static RULE: Rule = Rule::error("DSH0112", "a patch changes a row that is not there", include_str!("absent_row.md"));

/// `inserted` is where a later entry inserts the row.
pub fn absent_row(change: &Change, rows: &[Row], inserted: Option<&Place>) -> Diagnostic {
    let id = &change.id;
    let found = Diagnostic::new(&RULE, format!("patch row `{}` matches no row", id.text)).at(&id.place, "no row has this id");
    let found = with_rows_in_scope(found, id, rows, inserted);
    if change.settings.plugin.is_some() && inserted.is_none() {
        return found.help("to add a row, put it under `insert`");
    }
    found
}

/// Adds what a reader needs to find the right id.
pub fn with_rows_in_scope(found: Diagnostic, id: &Named, rows: &[Row], inserted: Option<&Place>) -> Diagnostic {
    /// More ids than this would bury the message.
    const MOST: usize = 12;
    if let Some(inserted) = inserted {
        return found
            .and(inserted, "inserted here, later")
            .note("entries apply in order: bundles as listed, then the profile's `patch`, then `--patch` files")
            .help("move this entry behind the one that inserts the row");
    }
    if rows.is_empty() {
        return found.note("no row is in scope: nothing was inserted before this entry");
    }
    let named: Vec<String> = rows.iter().take(MOST).map(|row| format!("`{}` ({})", row.id.text, row.id.place.file_line())).collect();
    let more = rows.len().saturating_sub(MOST);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    let near = nearest(&id.text, rows.iter().map(|row| row.id.text.as_str()));
    found
        .note(format!("rows in scope: {}{more}", named.join(", ")))
        .help_if(near.map(|near| format!("a row with a similar id exists: `{near}`")))
}

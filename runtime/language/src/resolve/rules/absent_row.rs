//! A change of a row that is not there.

use crate::diagnostics::{Diagnostic, Place, Rule, nearest};
use crate::load::{Change, Named};
use crate::resolve::Row;

/// `DSH0112`
pub static RULE: Rule = Rule::error("DSH0112", "a patch changes a row that is not there", include_str!("absent_row.md"));

/// Where a row is that cannot be named from here.
pub enum Elsewhere<'a> {
    /// A later entry inserts it, here.
    Later(&'a Place),
    /// It is a row of the composition, inserted here, and the entry one of a preset.
    Outside(&'a Place),
}

/// `elsewhere` is where there is a row of this id.
pub fn absent_row(change: &Change, rows: &[Row], elsewhere: Option<&Elsewhere<'_>>) -> Diagnostic {
    let id = &change.id;
    let found = Diagnostic::new(&RULE, format!("patch row `{}` matches no row", id.text)).at(&id.place, "no row has this id");
    let found = with_rows_in_scope(found, id, rows, elsewhere);
    if change.settings.plugin.is_some() && elsewhere.is_none() {
        return found.help("to add a row, put it under `insert`");
    }
    found
}

/// Adds what a reader needs to find the right id.
pub fn with_rows_in_scope(found: Diagnostic, id: &Named, rows: &[Row], elsewhere: Option<&Elsewhere<'_>>) -> Diagnostic {
    /// More ids than this would bury the message.
    const MOST: usize = 12;
    match elsewhere {
        Some(Elsewhere::Later(inserted)) => {
            return found
                .and(inserted, "inserted here, later")
                .note("entries apply in order: bundles as listed, then the profile's `patch`, then `--patch` files")
                .help("move this entry behind the one that inserts the row");
        }
        Some(Elsewhere::Outside(inserted)) => {
            return found
                .and(inserted, "a row of the composition, inserted here")
                .note("a preset adds rows; its entries see only those that it inserted itself")
                .help("change the row in the profile's `patch`, or insert a row with another id in the preset");
        }
        None => {}
    }
    if rows.is_empty() {
        return found.note("no row is in scope: nothing was inserted before this entry");
    }
    let named: Vec<String> = rows.iter().take(MOST).map(|row| format!("`{}` ({})", row.id.text, row.id.place.file_line())).collect();
    let more = rows.len().saturating_sub(MOST);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    let near = nearest(&id.text, rows.iter().map(|row| row.id.text.as_str()));
    let mounts = rows.iter().find(|row| row.plugin_name() == Some(id.text.as_str()));
    let help = match (mounts, near) {
        (Some(row), _) => Some(format!("`{}` is the plugin of row `{}`: write `{}`", id.text, row.id.text, row.id.text)),
        (None, near) => near.map(|near| format!("a row with a similar id exists: `{near}`")),
    };
    found.note(format!("rows in scope: {}{more}", named.join(", "))).help_if(help)
}

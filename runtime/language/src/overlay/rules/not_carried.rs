//! A row that is not part of the binary.

use super::build;
use crate::diagnostics::{Diagnostic, Rule, nearest, quoted};
use crate::load::Change;
use crate::overlay::CarriedRow;

/// `DSH0702`
pub static RULE: Rule = Rule::error("DSH0702", "an overlay changes a row that the binary does not carry", include_str!("not_carried.md"));

/// `is_off` says that the composition has such a row and switches it off. `None` when the change may be passed over.
pub fn not_carried(change: &Change, is_off: bool, rows: &[CarriedRow], profile: &str) -> Option<Diagnostic> {
    if change.optional {
        return None;
    }
    let id = &change.id;
    let found = Diagnostic::new(&RULE, format!("row `{}` is not part of this binary", id.text));
    if is_off {
        let found = found.at(&id.place, "switched off when the binary was built");
        return Some(found.help(build(profile, &id.place)));
    }
    // Rows of presets are not changed from outside.
    let own = || rows.iter().map(|row| row.id).filter(|id| !id.contains('/'));
    let mounts = rows.iter().find(|row| row.plugin.name == id.text && !row.id.contains('/'));
    let help = match mounts {
        Some(row) => Some(format!("`{}` is the plugin of row `{}`: write `{}`", id.text, row.id, row.id)),
        None => nearest(&id.text, own()).map(|near| format!("a row with a similar id exists: `{near}`")),
    };
    Some(found.at(&id.place, "no row has this id").note(format!("its rows: {}", quoted(own()))).help_if(help))
}

//! Ways into the binary that a preset cannot have.

use crate::check::rows::Rows;
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};

/// `DSH0313`
pub static RULE: Rule = Rule::error("DSH0313", "a row of a preset serves a protocol or has a verb", include_str!("preset_entry.md"));

/// Reports rows of presets through which the binary would be entered.
pub fn preset_entries(rows: &Rows<'_>, problems: &mut Diagnostics) {
    for row in &rows.mounted {
        let (Some(preset), decl) = (row.preset, &row.plugin.declared.decl) else { continue };
        let what = match decl.verbs.first() {
            _ if decl.serve.is_some() => "serves a protocol".to_owned(),
            Some(verb) => format!("answers the word `{}`", verb.verb.value),
            None => continue,
        };
        let (name, id) = (&rows.presets[preset].text, &row.row.id);
        let place = row.row.plugin.as_ref().map_or(&id.place, |plugin| &plugin.current.place);
        problems.report(
            Diagnostic::new(&RULE, format!("row `{}` of the preset `{name}` cannot be a way into the binary", id.text))
                .at(place, format!("plugin `{}` {what}", row.plugin.name))
                .help("insert the row in the profile's `patch`, or disable it in the preset"),
        );
    }
}

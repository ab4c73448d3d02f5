//! A row that is not part of the binary.

use std::collections::BTreeMap;

use super::build;
use crate::diagnostics::{Diagnostic, Rule, nearest, quoted};
use crate::load::Change;
use crate::overlay::CarriedPlugin;
use crate::resolve::Row;

/// `DSH0602`
pub static RULE: Rule = Rule::error(
    "DSH0602",
    "an overlay changes a row that the binary does not carry",
    "A binary holds the rows that mount. A row that its profile does not have, or switches off, is not part of it. A change that is meant \
     for several binaries says `optional: true`.",
);

/// `row` is the row of the composition, when it has one of this id, which is off. `None` when the change may be passed over.
pub fn not_carried(
    change: &Change,
    row: Option<&Row>,
    plugins: &BTreeMap<&'static str, CarriedPlugin>,
    profile: &str,
) -> Option<Diagnostic> {
    if change.optional {
        return None;
    }
    let id = &change.id;
    let found = Diagnostic::new(&RULE, format!("row `{}` is not part of this binary", id.text));
    if row.is_some() {
        let found = found.at(&id.place, "switched off when the binary was built");
        return Some(found.help(build(profile, &id.place)));
    }
    let near = nearest(&id.text, plugins.keys().copied());
    Some(
        found
            .at(&id.place, "no row has this id")
            .note(format!("its rows: {}", quoted(plugins.keys().copied())))
            .help_if(near.map(|near| format!("a row with a similar id exists: `{near}`"))),
    )
}

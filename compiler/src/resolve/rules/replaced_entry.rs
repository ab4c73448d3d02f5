//! Entries of bundles of which nothing is left.

use crate::diagnostics::{Diagnostic, Diagnostics, Place, Rule};
use crate::load::{Entry, Given, Layer, Named, Origin, Settings};
use crate::resolve::{Composition, Row, Setting};

/// `DSH0140`
pub static RULE: Rule =
    Rule::warning("DSH0140", "a later layer replaced all that a bundle's entry gave", include_str!("replaced_entry.md"));

/// Warns of each row that a bundle inserts or changes, all of whose keys a later layer replaced.
pub fn replaced_entries(layers: &[Layer], composition: &Composition, problems: &mut Diagnostics) {
    for layer in layers.iter().filter(|layer| matches!(layer.origin, Origin::Bundle(_))) {
        let given = layer.entries.iter().flat_map(|entry| match entry {
            Entry::Change(change) => vec![(&change.id, &change.settings)],
            Entry::Insert(insert) => insert.rows.iter().map(|row| (&row.id, &row.settings)).collect(),
        });
        for (id, settings) in given {
            if let Some(by) = composition.row(&id.text).and_then(|row| replaced_by(settings, row)) {
                problems.report(replaced_entry(id, by));
            }
        }
    }
}

fn replaced_entry(id: &Named, by: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, format!("nothing is left of what this bundle gives row `{}`", id.text))
        .at(&id.place, "every key is replaced later")
        .and(by, "replaced here")
        .help("move the values to the layer that needs them, or remove them from the bundle")
}

/// The place of a replacement, when none of the given keys holds any more.
fn replaced_by<'a>(settings: &Settings, row: &'a Row) -> Option<&'a Place> {
    let keys = [
        key(settings.plugin.as_ref(), row.plugin.as_ref()),
        key(settings.config.as_ref(), row.config.as_ref()),
        key(settings.disabled.as_ref(), row.disabled.as_ref()),
        key(settings.isolate.as_ref(), row.isolate.as_ref()),
    ];
    // A key that was not given says nothing; one that holds decides.
    let given: Vec<Option<&Place>> = keys.into_iter().flatten().collect();
    given.iter().copied().collect::<Option<Vec<_>>>()?.first().copied()
}

/// `None` when the key was not given, `Some(None)` when it holds, else the place of what replaced it.
fn key<'a, T>(given: Option<&Given<T>>, setting: Option<&'a Setting<T>>) -> Option<Option<&'a Place>> {
    let (given, setting) = given.zip(setting)?;
    let was_replaced = setting.earlier.iter().any(|earlier| earlier.key == given.key);
    Some(was_replaced.then_some(&setting.current.key))
}

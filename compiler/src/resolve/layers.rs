//! From layers to a composition.

use std::collections::BTreeMap;

use dsh_language::resolve::{Applied, Row, apply};

use super::composition::{Composition, PresetRows};
use super::rules;
use crate::diagnostics::{Diagnostics, Place};
use crate::load::{Layer, Loaded, Origin};

/// Applies all layers in order and reports what does not fit. What fits is in the result.
#[must_use]
pub fn resolve(loaded: &Loaded, problems: &mut Diagnostics) -> Composition {
    let Applied { rows, mut complete } = apply(&loaded.layers, BTreeMap::new(), loaded.complete, problems);
    let taken: BTreeMap<String, Place> = rows.iter().map(|row| (row.id.text.clone(), row.id.place.clone())).collect();
    let presets = loaded.profile.presets.iter().zip(&loaded.presets).map(|(preset, layers)| {
        // A row of a preset is told apart from the composition's by its id too.
        let applied = apply(layers, taken.clone(), loaded.complete, problems);
        complete &= applied.complete;
        PresetRows { name: preset.name.clone(), rows: applied.rows }
    });
    let presets = presets.collect();
    let bundles = of_bundles(&loaded.layers);
    let composition = Composition { profile: loaded.profile.clone(), rows, bundles, presets, complete };
    rules::replaced_entries(&loaded.layers, &composition, problems);
    composition
}

/// What the bundles alone give. What does not fit in them is reported with all layers.
#[must_use]
pub fn of_bundles(layers: &[Layer]) -> Vec<Row> {
    let bundles: Vec<Layer> = layers.iter().filter(|layer| matches!(layer.origin, Origin::Bundle(_))).cloned().collect();
    apply(&bundles, BTreeMap::new(), false, &mut Diagnostics::new()).rows
}

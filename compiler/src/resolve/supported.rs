//! From layers to a composition that this version can build.

use std::collections::BTreeMap;

use dsh_language::resolve::{Applied, Row, apply};

use super::composition::{Composition, PresetRows};
use super::rules;
use crate::diagnostics::{Diagnostics, Place};
use crate::load::{Layer, Loaded, Origin, Profile};

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
    refuse_unsupported(&composition, problems);
    composition
}

/// What the bundles alone give. What does not fit in them is reported with all layers.
#[must_use]
pub fn of_bundles(layers: &[Layer]) -> Vec<Row> {
    let bundles: Vec<Layer> = layers.iter().filter(|layer| matches!(layer.origin, Origin::Bundle(_))).cloned().collect();
    apply(&bundles, BTreeMap::new(), false, &mut Diagnostics::new()).rows
}

/// Parts of the language that this version reads and cannot build. Each is said, so that none is passed over.
fn refuse_unsupported(composition: &Composition, problems: &mut Diagnostics) {
    let Profile { build, .. } = &composition.profile;
    for (name, given) in [("static", &build.statically), ("seal", &build.seal)] {
        if let Some(given) = given.as_ref().filter(|given| given.value) {
            problems.report(rules::unsupported_build_default(name, &given.key));
        }
    }
    if let Some(set) = build.set.as_ref().filter(|set| !set.value.is_empty()) {
        problems.report(rules::unsupported_build_default("set", &set.key));
    }
}

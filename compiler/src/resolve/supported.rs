//! From layers to a composition that this version can build.

use dsh_language::resolve::{Row, apply};

use super::composition::Composition;
use super::rules;
use crate::diagnostics::Diagnostics;
use crate::load::{Layer, Loaded, Origin, Profile};

/// Applies all layers in order and reports what does not fit. What fits is in the result.
#[must_use]
pub fn resolve(loaded: &Loaded, problems: &mut Diagnostics) -> Composition {
    let applied = apply(&loaded.layers, loaded.complete, problems);
    let complete = loaded.complete && applied.applied;
    let bundles = of_bundles(&loaded.layers);
    let mut composition = Composition { profile: loaded.profile.clone(), rows: applied.rows, bundles, complete };
    rules::replaced_entries(&loaded.layers, &composition, problems);
    composition.complete &= refuse_unsupported(&composition, problems);
    composition
}

/// What the bundles alone give. What does not fit in them is reported with all layers.
#[must_use]
pub fn of_bundles(layers: &[Layer]) -> Vec<Row> {
    let bundles: Vec<Layer> = layers.iter().filter(|layer| matches!(layer.origin, Origin::Bundle(_))).cloned().collect();
    apply(&bundles, false, &mut Diagnostics::new()).rows
}

/// Parts of the language that this version reads and cannot build. Each is said, so that none is passed over. Yields whether the
/// rows are all that mounts, in one realm.
fn refuse_unsupported(composition: &Composition, problems: &mut Diagnostics) -> bool {
    let Profile { crates, presets, build, .. } = &composition.profile;
    let mut is_flat = true;
    for row in &composition.rows {
        is_flat &= !row.is_group && row.isolate.is_none();
        if row.is_group {
            problems.report(rules::unsupported_group(&row.id));
        }
        if let Some(isolate) = &row.isolate {
            problems.report(rules::unsupported_isolate(&isolate.current.key));
        }
    }
    for found in crates {
        problems.report(rules::unsupported_crate(&found.name));
    }
    for preset in presets {
        problems.report(rules::unsupported_preset(&preset.name));
    }
    for (name, given) in [("static", &build.statically), ("seal", &build.seal)] {
        if let Some(given) = given.as_ref().filter(|given| given.value) {
            problems.report(rules::unsupported_build_default(name, &given.key));
        }
    }
    if let Some(set) = build.set.as_ref().filter(|set| !set.value.is_empty()) {
        problems.report(rules::unsupported_build_default("set", &set.key));
    }
    is_flat && crates.is_empty()
}

//! From the plan to the files of a generated crate. Pure: the same plan gives the same bytes, whatever the machine, the folder
//! or the time.

mod comment;
mod configs;
mod crate_files;
mod description;
mod freshness;
mod graph;
mod identity;
mod imports;
mod manifest;
mod mount;
mod names;
mod presets;
mod row;
mod spaced;
mod value;
mod wiring;

use std::collections::BTreeMap;

use dsh_language::document::with_presets;

pub use manifest::Form;
pub(crate) use manifest::asking_manifest;

use crate::inventory::{Component, Inventory};
use crate::plan::Plan;

/// The files of a generated crate, by path inside its folder, with `/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The profile that it is for.
    pub profile: String,
    /// Whole text of each file.
    pub files: BTreeMap<&'static str, String>,
}

/// Writes the crate of a plan that is linked from what the inventory holds, with a manifest of the given form.
#[must_use]
pub fn emit(plan: &Plan, inventory: &Inventory, form: Form<'_>) -> Generated {
    let mut files = BTreeMap::from([
        ("Cargo.toml", manifest::manifest(plan, form)),
        ("src/components.txt", document(plan, &components(inventory))),
        ("src/notices.txt", document(plan, &inventory.notices)),
        ("src/composed.yml", document(plan, &composed(plan))),
        ("src/description.rs", description::description(plan)),
        ("src/lib.rs", crate_files::library(plan)),
        ("src/main.rs", crate_files::program(plan)),
        ("src/wiring.rs", wiring::wiring(plan)),
    ]);
    if has_bundles_of_its_own(plan) {
        files.insert("src/bundles.yml", document(plan, &plan.documents.bundles));
    }
    Generated { profile: plan.profile.clone(), files }
}

/// Whether the bundles alone give something else than all layers.
fn has_bundles_of_its_own(plan: &Plan) -> bool {
    plan.documents.bundles != composed(plan)
}

/// The rows, those of presets in comments.
fn composed(plan: &Plan) -> String {
    let presets = plan.documents.presets.iter().map(|(name, document)| (name.as_str(), document.as_str()));
    with_presets(&plan.documents.composed, presets)
}

/// One crate a line: name, version, licence, origin and the numbers of the lines with what it needs, between tabs.
fn components(inventory: &Inventory) -> String {
    let line = |component: &Component| {
        let needs: Vec<String> = component.needs.iter().map(usize::to_string).collect();
        let licence = component.licence.as_deref().unwrap_or_default();
        [&component.name, &component.version, licence, component.origin.word(), &needs.join(" ")].join("\t") + "\n"
    };
    inventory.components.iter().map(line).collect()
}

/// A document that the binary holds.
fn document(plan: &Plan, document: &str) -> String {
    format!("# {}\n\n{document}", first_line(&plan.profile))
}

/// First line of each file, without the sign that makes it a comment.
fn first_line(profile: &str) -> String {
    format!("Made by `dsh-build sync {profile}`. Change the profile, not this file.")
}

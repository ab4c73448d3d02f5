//! From the plan to the files of a generated crate. Pure: the same plan gives the same bytes, whatever the machine, the folder
//! or the time.

mod comment;
mod configs;
mod crate_files;
mod freshness;
mod graph;
mod identity;
mod imports;
mod manifest;
mod mount;
mod names;
mod presets;
mod row;
mod value;
mod wiring;

use std::collections::BTreeMap;

use crate::plan::Plan;

/// The files of a generated crate, by path inside its folder, with `/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The profile that it is for.
    pub profile: String,
    /// Whole text of each file.
    pub files: BTreeMap<&'static str, String>,
}

/// Writes the crate of a plan.
#[must_use]
pub fn emit(plan: &Plan) -> Generated {
    let files = BTreeMap::from([
        ("Cargo.toml", manifest::manifest(plan)),
        ("src/lib.rs", crate_files::library(plan)),
        ("src/main.rs", crate_files::program(plan)),
        ("src/wiring.rs", wiring::wiring(plan)),
    ]);
    Generated { profile: plan.profile.clone(), files }
}

/// First line of each file, without the sign that makes it a comment.
fn first_line(profile: &str) -> String {
    format!("Made by `dsh-build sync {profile}`. Change the profile, not this file.")
}

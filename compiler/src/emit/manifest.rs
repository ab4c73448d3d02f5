//! The manifest: only what the wiring names is a dependency, so that what a profile does not use is not linked.

use std::collections::BTreeSet;

use super::{binary, first_line, package};
use crate::plan::Plan;

/// `Cargo.toml`.
pub(super) fn manifest(plan: &Plan) -> String {
    let profile = &plan.profile;
    let named: BTreeSet<&str> = plan.crates.keys().map(String::as_str).chain(["dsh-runtime"]).collect();
    let dependencies: String = named.into_iter().map(|package| format!("{package}.workspace = true\n")).collect();
    format!(
        "# {first}\n\
         [package]\n\
         name = \"{package}\"\n\
         description = \"The agent of the profile `{profile}`, wired by dsh-build.\"\n\
         version.workspace = true\n\
         edition.workspace = true\n\
         rust-version.workspace = true\n\
         license.workspace = true\n\
         publish.workspace = true\n\
         \n\
         [lints]\n\
         workspace = true\n\
         \n\
         [[bin]]\n\
         name = \"{binary}\"\n\
         path = \"src/main.rs\"\n\
         \n\
         [dependencies]\n\
         {dependencies}",
        first = first_line(profile),
        package = package(profile),
        binary = binary(profile),
    )
}

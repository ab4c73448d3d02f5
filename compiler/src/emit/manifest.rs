//! The manifest: only what the wiring names is a dependency, so that what a profile does not use is not linked.

use super::first_line;
use crate::agent_names::{binary, package};
use crate::index::RUNTIME;
use crate::plan::{Crate, Plan};

/// `Cargo.toml`.
pub(super) fn manifest(plan: &Plan) -> String {
    let profile = &plan.profile;
    let dependencies: String = plan.crates.iter().map(|(package, found)| dependency(package, found, plan.is_sealed)).collect();
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

/// By its folder, seen from `generated/<profile>/`, so that a new plugin needs no line in the workspace's manifest. A package from
/// elsewhere is one that the workspace knows. A binary that is not sealed takes overlays when it starts.
fn dependency(package: &str, found: &Crate, is_sealed: bool) -> String {
    let takes_overlays = package == RUNTIME && !is_sealed;
    match &found.folder {
        Some(folder) if takes_overlays => format!("{package} = {{ path = \"../../{folder}\", features = [\"overlays\"] }}\n"),
        Some(folder) => format!("{package} = {{ path = \"../../{folder}\" }}\n"),
        None if takes_overlays => format!("{package} = {{ workspace = true, features = [\"overlays\"] }}\n"),
        None => format!("{package}.workspace = true\n"),
    }
}

//! What is kept of a profile and of a workspace in folders of generated files: `sync` writes it, a gate and `sync --check` compare it.

use std::path::Path;

use crate::build::kept_form;
use crate::compile::{Compiled, Compiler, Source};
use crate::diagnostics::Diagnostics;
use crate::emit::emit;
use crate::index::Index;
use crate::schema::{FOLDER, schemas};
use crate::sync::Target;
use crate::workspace::Workspace;

/// All that a workspace keeps: its schemas and the crate of each profile that it ships. A profile that is refused is left out and
/// reported.
pub(crate) fn of_workspace(compiler: &mut Compiler, diagnostics: &mut Diagnostics) -> Vec<Target> {
    let workspace = compiler.workspace().clone();
    let mut targets = vec![schemas_in(&workspace.generated(), &compiler.declarations(diagnostics).index)];
    for profile in compiler.shipped_profiles() {
        let compiled = compiler.compile(&Source::of(profile), diagnostics);
        targets.extend(compiled.iter().flat_map(|compiled| of_profile(&workspace, compiled)));
    }
    targets
}

/// The crate of a profile, with the schemas where it is kept beside the profile.
pub(crate) fn of_profile(workspace: &Workspace, compiled: &Compiled) -> Vec<Target> {
    let generated = emit(&compiled.plan, kept_form(workspace));
    let beside = compiled.elsewhere.as_ref().map(|folder| folder.join("generated"));
    let schemas = beside.iter().map(|folder| schemas_in(folder, &compiled.declarations.index));
    let folder = beside.clone().unwrap_or_else(|| workspace.generated()).join(&generated.profile);
    schemas.chain([Target { folder, files: generated.files }]).collect()
}

/// The schemas in a folder of generated files.
pub(crate) fn schemas_in(generated: &Path, index: &Index) -> Target {
    Target { folder: generated.join(FOLDER), files: schemas(index) }
}

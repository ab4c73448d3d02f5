//! What is kept of a profile and of a workspace in folders of generated files: `sync` writes it, a gate and `sync --check` compare it.

use std::path::Path;

use crate::build::kept_form;
use crate::catalog::{self, Subject, catalogs};
use crate::compile::{Compiled, Compiler, Declarations, Source};
use crate::diagnostics::Diagnostics;
use crate::emit::emit;
use crate::index::Index;
use crate::inventory::Inventory;
use crate::schema::{FOLDER, schemas};
use crate::sync::Target;
use crate::workspace::Workspace;

/// All that a workspace keeps: its schemas, its catalogs and the crate of each profile that it ships. A profile that is refused is left out and
/// reported.
pub(crate) fn of_workspace(compiler: &mut Compiler, diagnostics: &mut Diagnostics) -> Vec<Target> {
    let workspace = compiler.workspace().clone();
    let mut targets = of_plugins(&workspace, &compiler.declarations(diagnostics)).to_vec();
    for profile in compiler.shipped_profiles() {
        let compiled = compiler.compile(&Source::of(profile), diagnostics);
        targets.extend(compiled.iter().flat_map(|compiled| of_profile(&workspace, compiled)));
    }
    targets
}

/// The schemas and the catalogs of a workspace.
pub(crate) fn of_plugins(workspace: &Workspace, declarations: &Declarations) -> [Target; 2] {
    let Declarations { index, metadata, .. } = declarations;
    let inventory = Inventory::of_plugins(index, metadata);
    let files = catalogs(&Subject::workspace(index, &inventory));
    [schemas_in(&workspace.generated(), index), Target { folder: workspace.generated().join(catalog::FOLDER), files }]
}

/// The crate and the catalogs of a profile, with the schemas where it is kept beside the profile.
pub(crate) fn of_profile(workspace: &Workspace, compiled: &Compiled) -> Vec<Target> {
    let Declarations { index, metadata, .. } = &*compiled.declarations;
    let inventory = Inventory::of_profile(&compiled.plan, metadata, workspace);
    let generated = emit(&compiled.plan, kept_form(workspace));
    let beside = compiled.elsewhere.as_ref().map(|folder| folder.join("generated"));
    let schemas = beside.iter().map(|folder| schemas_in(folder, &compiled.declarations.index));
    let folder = beside.clone().unwrap_or_else(|| workspace.generated()).join(&generated.profile);
    let catalogs = Target { folder: folder.join(catalog::FOLDER), files: catalogs(&Subject::profile(&compiled.plan, index, &inventory)) };
    schemas.chain([Target { folder, files: generated.files }, catalogs]).collect()
}

/// The schemas in a folder of generated files.
pub(crate) fn schemas_in(generated: &Path, index: &Index) -> Target {
    Target { folder: generated.join(FOLDER), files: schemas(index) }
}

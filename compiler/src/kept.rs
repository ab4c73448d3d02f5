//! What is kept of a profile and of a workspace in folders of generated files: `sync` writes it, a gate and `sync --check` compare it.

use std::path::{Path, PathBuf};

use crate::build::kept_form;
use crate::catalog::{self, Described, Subject, catalogs};
use crate::compile::{Compiled, Compiler, Declarations, Source};
use crate::diagnostics::Diagnostics;
use crate::emit::emit;
use crate::index::Index;
use crate::inventory::Inventory;
use crate::schema::{FOLDER, schemas};
use crate::sync::Target;
use crate::workspace::Workspace;

/// All that a workspace keeps: its schemas, its catalogs and the crate of each profile that it ships. A profile that is refused is left out
/// and reported. No binary is asked: what it said of itself is taken from the catalogs, as long as nobody changed them.
pub(crate) fn of_workspace(compiler: &mut Compiler, diagnostics: &mut Diagnostics) -> Vec<Target> {
    let workspace = compiler.workspace().clone();
    let mut targets = of_plugins(&workspace, &compiler.declarations(diagnostics)).to_vec();
    for profile in compiler.shipped_profiles() {
        if let Some(compiled) = compiler.compile(&Source::of(profile), diagnostics) {
            let inventory = Inventory::of_profile(&compiled.plan, &compiled.declarations.metadata, &workspace);
            targets.extend(of_profile(&workspace, &compiled, &inventory));
            let described = described(&workspace, &compiled).unwrap_or_default();
            targets.push(catalogs_of(&workspace, &compiled, &inventory, &described));
        }
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

/// The crate of a profile, with the schemas where it is kept beside the profile.
pub(crate) fn of_profile(workspace: &Workspace, compiled: &Compiled, inventory: &Inventory) -> Vec<Target> {
    let files = emit(&compiled.plan, inventory, kept_form(workspace)).files;
    let beside = compiled.elsewhere.as_ref().map(|folder| folder.join("generated"));
    let schemas = beside.iter().map(|folder| schemas_in(folder, &compiled.declarations.index));
    schemas.chain([Target { folder: folder_of(workspace, compiled), files }]).collect()
}

/// The catalogs of a profile, beside its wiring.
pub(crate) fn catalogs_of(workspace: &Workspace, compiled: &Compiled, inventory: &Inventory, described: &Described) -> Target {
    let subject = Subject::profile(&compiled.plan, described, &compiled.declarations.index, inventory);
    Target { folder: folder_of(workspace, compiled).join(catalog::FOLDER), files: catalogs(&subject) }
}

/// What the binary of a profile said of itself, as its catalogs have it; `None` where it must be asked.
pub(crate) fn described(workspace: &Workspace, compiled: &Compiled) -> Option<Described> {
    match Described::must_be_asked(&compiled.plan) {
        true => Described::kept(&folder_of(workspace, compiled).join(catalog::FOLDER)),
        false => Some(Described::default()),
    }
}

/// The folder of a profile's generated crate.
fn folder_of(workspace: &Workspace, compiled: &Compiled) -> PathBuf {
    let beside = compiled.elsewhere.as_ref().map(|folder| folder.join("generated"));
    beside.unwrap_or_else(|| workspace.generated()).join(&compiled.plan.profile)
}

/// The schemas in a folder of generated files.
pub(crate) fn schemas_in(generated: &Path, index: &Index) -> Target {
    Target { folder: generated.join(FOLDER), files: schemas(index) }
}

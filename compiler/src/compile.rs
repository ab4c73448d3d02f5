//! The stages in a row: from files to a plan.

use std::path::PathBuf;

use crate::ask::Composed;
use crate::check::check;
use crate::diagnostics::Diagnostics;
use crate::index::{Index, Metadata, Network, index};
use crate::load::{LoadRequest, known_profiles, load};
use crate::plan::{Plan, plan};
use crate::resolve::{Composition, resolve};
use crate::workspace::Workspace;

/// What to compile.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// Name of a profile, or a path to its folder or file.
    pub profile: String,
    /// Patch files, in order.
    pub patches: Vec<PathBuf>,
}

/// A composition that was found right.
pub(crate) struct Compiled {
    /// Its plan.
    pub plan: Plan,
    /// Its rows with the places that gave each key.
    pub composition: Composition,
    /// The profile's folder, when it is not one of those that the workspace ships: its generated crate is kept beside it.
    pub elsewhere: Option<PathBuf>,
}

impl Compiled {
    /// What questions about it are answered from; `index` holds the declarations that it was compiled with.
    pub(crate) fn composed<'a>(&'a self, index: &'a Index) -> Composed<'a> {
        Composed { composition: &self.composition, plan: &self.plan, index }
    }
}

/// The declarations of a workspace and what is needed to compile its profiles.
pub(crate) struct Compiler {
    workspace: Workspace,
    /// The declarations.
    pub index: Index,
    /// Whether every declaration was read without an error.
    is_whole: bool,
    /// The graph of packages.
    pub metadata: Metadata,
}

impl Compiler {
    /// Reads the declarations. Problems in them are reported.
    pub(crate) fn open(workspace: &Workspace, network: Network, diagnostics: &mut Diagnostics) -> Self {
        let (index, metadata) = index(workspace, network, diagnostics);
        Self { workspace: workspace.clone(), index, is_whole: !diagnostics.has_errors(), metadata }
    }

    /// Plans a profile; `None` when an error was reported, now or when the declarations were read.
    pub(crate) fn compile(&self, source: &Source, diagnostics: &mut Diagnostics) -> Option<Compiled> {
        // What is wrong with another profile is no reason to look less closely at this one.
        let mut found = Diagnostics::new();
        let compiled = self.compile_alone(source, &mut found);
        diagnostics.append(found);
        compiled
    }

    fn compile_alone(&self, source: &Source, found: &mut Diagnostics) -> Option<Compiled> {
        let request = request(&self.workspace, source);
        let composition = load(&request, found).map(|loaded| resolve(&loaded, found))?;
        let folder = &composition.profile.folder;
        let is_shipped = folder.parent().is_some_and(|parent| parent == self.workspace.profiles());
        let elsewhere = (!is_shipped).then(|| folder.clone());
        // Without all declarations a check would find fault with what is only unknown.
        let checked = self.is_whole.then(|| check(&composition, &self.index, found)).flatten()?;
        Some(Compiled { plan: plan(&checked, &self.index), composition, elsewhere })
    }

    /// Names of the profiles below `profiles/` of the workspace, sorted.
    pub(crate) fn shipped_profiles(&self) -> Vec<String> {
        let none = Source { profile: String::new(), patches: Vec::new() };
        known_profiles(&LoadRequest { home: None, ..request(&self.workspace, &none) })
    }
}

/// What to load for a source, from where this process runs.
pub(crate) fn request(workspace: &Workspace, source: &Source) -> LoadRequest {
    LoadRequest {
        workspace: workspace.root().to_owned(),
        home: harness_home(),
        // A folder that was deleted under the process has no path; files of the workspace can still be named.
        cwd: std::env::current_dir().unwrap_or_else(|_| workspace.root().to_owned()),
        profile: source.profile.clone(),
        patches: source.patches.clone(),
    }
}

/// `DSH_HOME`, else `.dsh` in the user's home: where a user keeps profiles of their own.
fn harness_home() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("DSH_HOME").or_else(|| set("HOME").map(|home| home.join(".dsh")))
}

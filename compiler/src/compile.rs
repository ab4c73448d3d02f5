//! The stages in a row: from files to a plan.

use std::path::PathBuf;
use std::rc::Rc;

use crate::ask::Composed;
use crate::check::check;
use crate::crates::{self, Outside};
use crate::diagnostics::Diagnostics;
use crate::index::{Index, Listed, Metadata, Network, index, read, workspace_metadata};
use crate::load::{BuildFlags, CrateFolder, LoadRequest, Loaded, Profile, known_profiles, load, load_profile};
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
    /// How the binary is built where it is not as the profile says.
    pub flags: BuildFlags,
}

impl Source {
    /// A profile as it is kept, without patches and flags.
    pub(crate) fn of(profile: impl Into<String>) -> Self {
        Self { profile: profile.into(), patches: Vec::new(), flags: BuildFlags::default() }
    }
}

/// A composition that was found right.
pub(crate) struct Compiled {
    /// Its plan.
    pub plan: Plan,
    /// Its rows with the places that gave each key.
    pub composition: Composition,
    /// The profile's folder, when it is not one of those that the workspace ships: its generated crate is kept beside it.
    pub elsewhere: Option<PathBuf>,
    /// What it was compiled with.
    pub declarations: Rc<Declarations>,
}

impl Compiled {
    /// What questions about it are answered from.
    pub(crate) fn composed(&self) -> Composed<'_> {
        Composed { composition: &self.composition, plan: &self.plan, index: &self.declarations.index }
    }

    /// The profile's folder, when it lists crates from outside the workspace.
    pub(crate) fn crates_folder(&self) -> Option<PathBuf> {
        self.lists_crates().then(|| self.composition.profile.folder.clone())
    }

    /// Whether it has crates from outside the workspace.
    pub(crate) fn lists_crates(&self) -> bool {
        !self.composition.profile.crates.is_empty()
    }
}

/// The declarations of the crates that a profile can name.
pub(crate) struct Declarations {
    /// The declarations.
    pub index: Index,
    /// The graph of packages.
    pub metadata: Metadata,
    /// Whether every declaration was read without an error.
    is_whole: bool,
}

/// A workspace and what is needed to compile its profiles.
pub(crate) struct Compiler {
    workspace: Workspace,
    network: Network,
    /// The declarations of the workspace's own crates, once they were asked for.
    own: Option<Rc<Declarations>>,
}

impl Compiler {
    /// Nothing is read yet.
    pub(crate) fn new(workspace: &Workspace, network: Network) -> Self {
        Self { workspace: workspace.clone(), network, own: None }
    }

    /// Where it works.
    pub(crate) fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// The declarations of the workspace's own crates. Problems in them are reported, once.
    pub(crate) fn declarations(&mut self, diagnostics: &mut Diagnostics) -> Rc<Declarations> {
        if let Some(own) = &self.own {
            return Rc::clone(own);
        }
        let mut found = Diagnostics::new();
        let (index, metadata) = index(&self.workspace, self.network, &mut found);
        let own = Rc::new(Declarations { index, metadata, is_whole: !found.has_errors() });
        diagnostics.append(found);
        self.own = Some(Rc::clone(&own));
        own
    }

    /// Plans a profile; `None` when an error was reported, now or when the declarations were read.
    pub(crate) fn compile(&mut self, source: &Source, diagnostics: &mut Diagnostics) -> Option<Compiled> {
        // What is wrong with another profile is no reason to look less closely at this one.
        let mut found = Diagnostics::new();
        let compiled = self.compile_alone(source, &mut found, diagnostics);
        diagnostics.append(found);
        compiled
    }

    /// Reads a profile and its layers; `None` when an error was reported. Crates are asked for only where the profile lists some.
    pub(crate) fn load(&mut self, source: &Source, diagnostics: &mut Diagnostics) -> Option<Loaded> {
        let mut request = request(&self.workspace, source);
        if let Some(profile) = load_profile(&request, &mut Diagnostics::new()).filter(|profile| !profile.crates.is_empty()) {
            request.crates = self.with_crates(&profile, diagnostics)?.1;
        }
        load(&request, diagnostics)
    }

    /// The declarations that a profile can name, be it wrong or not there yet; `None` when an error was reported.
    pub(crate) fn declarations_for(&mut self, source: &Source, diagnostics: &mut Diagnostics) -> Option<Rc<Declarations>> {
        let profile = load_profile(&request(&self.workspace, source), &mut Diagnostics::new());
        let (mut found, mut shared) = (Diagnostics::new(), Diagnostics::new());
        let declarations = self.for_profile(profile.as_ref(), &mut found, &mut shared);
        diagnostics.append(shared);
        diagnostics.append(found);
        declarations.map(|(declarations, _)| declarations)
    }

    /// The declarations of the workspace's crates and of those that a profile lists, and where these lie.
    fn for_profile(
        &mut self,
        profile: Option<&Profile>,
        found: &mut Diagnostics,
        shared: &mut Diagnostics,
    ) -> Option<(Rc<Declarations>, Vec<CrateFolder>)> {
        match profile.filter(|profile| !profile.crates.is_empty()) {
            Some(profile) => self.with_crates(profile, found),
            None => Some((self.declarations(shared), Vec::new())),
        }
    }

    /// `found` is for problems of the profile, `shared` for those of the workspace.
    fn compile_alone(&mut self, source: &Source, found: &mut Diagnostics, shared: &mut Diagnostics) -> Option<Compiled> {
        let mut request = request(&self.workspace, source);
        // What is wrong with the profile is told when it is loaded whole.
        let profile = load_profile(&request, &mut Diagnostics::new());
        let Some((declarations, folders)) = self.for_profile(profile.as_ref(), found, shared) else {
            // Bundles that the crates have cannot be found.
            load_profile(&request, found);
            return None;
        };
        request.crates = folders;
        let composition = load(&request, found).map(|loaded| resolve(&loaded, found))?;
        let folder = &composition.profile.folder;
        let is_shipped = self.workspace.has_plugins() && folder.parent().is_some_and(|parent| parent == self.workspace.profiles());
        let elsewhere = (!is_shipped).then(|| folder.clone());
        // Without all declarations a check would find fault with what is only unknown.
        if !declarations.is_whole {
            return None;
        }
        crates::check(&request, &composition, &declarations.index, &declarations.metadata, found);
        let checked = check(&composition, &declarations.index, found)?;
        Some(Compiled { plan: plan(&checked, &declarations.index), composition, elsewhere, declarations })
    }

    /// The same for a profile that lists some.
    fn with_crates(&self, profile: &Profile, found: &mut Diagnostics) -> Option<(Rc<Declarations>, Vec<CrateFolder>)> {
        let own = match self.workspace.has_plugins() {
            true => workspace_metadata(&self.workspace, self.network, found)?,
            false => Metadata::default(),
        };
        let Outside { metadata, folders } = crates::gather(&self.workspace, own, profile, self.network, found)?;
        let mut problems = Diagnostics::new();
        let listed = Listed { folder: &profile.folder, crates: &profile.crates };
        let index = read(&self.workspace, &metadata, Some(listed), &mut problems);
        let declarations = Rc::new(Declarations { index, metadata, is_whole: !problems.has_errors() });
        found.append(problems);
        Some((declarations, folders))
    }

    /// Names of the profiles below `profiles/` of the workspace, sorted.
    pub(crate) fn shipped_profiles(&self) -> Vec<String> {
        known_profiles(&LoadRequest { home: None, ..request(&self.workspace, &Source::of("")) })
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
        crates: Vec::new(),
        flags: source.flags.clone(),
    }
}

/// `DSH_HOME`, else `.dsh` in the user's home: where a user keeps profiles of their own.
fn harness_home() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("DSH_HOME").or_else(|| set("HOME").map(|home| home.join(".dsh")))
}

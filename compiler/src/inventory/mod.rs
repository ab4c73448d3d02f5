//! What a binary is linked from: its crates with versions and licences, and the notices that whoever hands it on must keep.

mod linked;
mod notices;

use std::io;
use std::path::PathBuf;

use dsh_declare::digest::{combine, fnv1a};
use dsh_declare::source_digest;

use crate::index::{Index, Metadata, MetadataPackage, RUNTIME};
use crate::plan::Plan;
use crate::workspace::Workspace;
pub(crate) use notices::holds_notice;

/// The crates that a binary is linked from, its generated crate not among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inventory {
    /// By name and version.
    pub components: Vec<Component>,
    /// The notices of their licences, as one text.
    pub notices: String,
}

/// A crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// Package name.
    pub name: String,
    /// Version.
    pub version: String,
    /// Its licence as an SPDX expression; `None` where it names none.
    pub licence: Option<String>,
    /// Where it comes from.
    pub origin: Origin,
    /// The places of the crates among [`Inventory::components`] that it needs.
    pub needs: Vec<usize>,
    /// Folder of its sources.
    folder: PathBuf,
}

/// Where a crate comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A folder of this machine, as those of the workspace.
    Folder,
    /// A registry.
    Registry,
    /// A repository, as cargo names it.
    Git(String),
}

impl Origin {
    fn of(package: &MetadataPackage) -> Self {
        match &package.source {
            None => Self::Folder,
            Some(source) if source.starts_with("git+") => Self::Git(source.clone()),
            Some(_) => Self::Registry,
        }
    }

    /// In one word, or as cargo names the repository.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Folder => "workspace",
            Self::Registry => "registry",
            Self::Git(source) => source,
        }
    }
}

impl Inventory {
    /// The crates of a plan and the notices in their folders; what cannot be read there is left out.
    #[must_use]
    pub fn of_profile(plan: &Plan, metadata: &Metadata, workspace: &Workspace) -> Self {
        let named: Vec<&str> = plan.crates.keys().map(String::as_str).collect();
        let components = components(&named, plan.is_sealed, metadata);
        let notices = notices::notices(&components, workspace);
        Self { components, notices }
    }

    /// The crates of all plugins, as a binary that takes overlays has them. Nothing is read.
    #[must_use]
    pub fn of_plugins(index: &Index, metadata: &Metadata) -> Self {
        let named: Vec<&str> = index.plugins.values().map(|plugin| plugin.declared.id.package.as_str()).chain([RUNTIME]).collect();
        Self { components: components(&named, false, metadata), notices: String::new() }
    }
}

impl Inventory {
    /// Digest of what a binary is compiled from, as far as it is told apart: the sources in folders of this machine, the versions of
    /// others.
    ///
    /// # Errors
    /// When a source cannot be read; with the folder of its package.
    pub(crate) fn source_digest(&self) -> Result<u64, (PathBuf, io::Error)> {
        let of_component = |component: &Component| match component.origin {
            Origin::Folder => source_digest(&component.folder).map_err(|error| (component.folder.clone(), error)),
            Origin::Registry | Origin::Git(_) => Ok(fnv1a(component.version.as_bytes())),
        };
        let digests: Result<Vec<u64>, _> = self.components.iter().map(of_component).collect();
        let names = self.components.iter().map(|component| fnv1a(component.name.as_bytes()));
        Ok(combine(&names.chain(digests?).collect::<Vec<_>>()))
    }
}

fn components(named: &[&str], is_sealed: bool, metadata: &Metadata) -> Vec<Component> {
    let places = linked::linked(named, is_sealed, metadata);
    let component = |place: &usize| {
        let package = &metadata.packages[*place];
        let mut needs: Vec<usize> = package.needs.iter().filter_map(|need| places.binary_search(&need.package).ok()).collect();
        needs.sort_unstable();
        needs.dedup();
        Component {
            name: package.name.clone(),
            version: package.version.clone(),
            // Old manifests write `/` for a choice.
            licence: package.license.as_ref().map(|terms| terms.replace(" / ", "/").replace('/', " OR ")),
            origin: Origin::of(package),
            needs,
            folder: package.folder().to_owned(),
        }
    };
    places.iter().map(component).collect()
}

//! Asks cargo for a profile's crates, with a package that depends on them: cargo names only what a manifest depends on.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use dsh_declare::digest::fnv1a;

use crate::diagnostics::Diagnostic;
use crate::emit::asking_manifest;
use crate::index::{Metadata, MetadataError, Network, PackageSource, ask as ask_cargo, cache, metadata_refused};
use crate::load::{Crate, CrateSource, Profile};
use crate::lock::Lock;
use crate::replace::replace;
use crate::workspace::Workspace;

/// Why there is no answer.
pub(super) enum Refused {
    /// What cargo said.
    Words(String),
    /// Cargo could not be asked.
    Problem(Box<Diagnostic>),
}

impl From<MetadataError> for Refused {
    fn from(error: MetadataError) -> Self {
        match error {
            MetadataError::Refused { words } => Self::Words(words),
            other => Self::Problem(Box::new(metadata_refused(&other))),
        }
    }
}

/// The graph of packages below `crates`: kept, or asked for when a manifest or a lock file changed since.
pub(super) fn ask(workspace: &Workspace, profile: &Profile, crates: &[&Crate], network: Network) -> Result<Metadata, Refused> {
    let asking = Asking::new(workspace, profile, crates);
    if let Some(metadata) = asking.recall() {
        return Ok(metadata);
    }
    let folder = asking.folder.clone();
    let _lock = asking.write().map_err(|source| MetadataError::Io { folder, source })?;
    // Its lock file is a copy, and lists what the finished crate needs; cargo has to change it.
    let mut metadata = ask_cargo(&asking.folder, Network { locked: false, ..network })?;
    // The folder may be reached through a link, which cargo follows.
    for own in metadata.packages.iter_mut().filter(|package| package.member) {
        own.manifest = asking.folder.join("Cargo.toml");
    }
    // What cannot be kept is asked again.
    let _ = cache::write(&asking.kept(), &asking.key, &metadata, asking.watched(&metadata));
    Ok(metadata)
}

struct Asking<'a> {
    workspace: &'a Workspace,
    /// Of the package that depends on the crates.
    folder: PathBuf,
    manifest: String,
    /// The lock file that it starts with, where there is one.
    lock_file: Option<Vec<u8>>,
    /// Changes with all of that.
    key: String,
}

impl<'a> Asking<'a> {
    fn new(workspace: &'a Workspace, profile: &Profile, crates: &[&Crate]) -> Self {
        let dependencies: Vec<(&str, PackageSource)> =
            crates.iter().map(|listed| (listed.name.text.as_str(), source(profile, &listed.source))).collect();
        let manifest = asking_manifest(&profile.name.text, &profile.folder, &dependencies);
        let lock_file = fs::read(profile.folder.join("Cargo.lock")).or_else(|_| fs::read(workspace.lock_file())).ok();
        let settings = fs::read(workspace.root().join(".cargo").join("config.toml")).unwrap_or_default();
        let parts = [manifest.as_bytes(), lock_file.as_deref().unwrap_or_default(), &settings];
        let key = parts.iter().map(|part| format!("{:016x}", fnv1a(part))).collect::<Vec<_>>().join("-");
        // Of one profile, and one for each crate of it where a fault is looked for.
        let place = fnv1a(format!("{}\n{manifest}", profile.folder.display()).as_bytes());
        let folder = workspace.own().join("scratch").join(format!(".crates-{}-{place:016x}", profile.name.text));
        Self { workspace, folder, manifest, lock_file, key }
    }

    fn kept(&self) -> PathBuf {
        self.folder.join("metadata.json")
    }

    fn recall(&self) -> Option<Metadata> {
        // Sources that cargo had fetched may have been removed.
        cache::recall(&self.kept(), &self.key).filter(|metadata| metadata.packages.iter().all(|package| package.manifest.is_file()))
    }

    /// Writes the package. One process at a time has it.
    fn write(&self) -> io::Result<Lock> {
        let lock = Lock::take(&self.folder.with_extension("lock"))?;
        fs::create_dir_all(&self.folder)?;
        replace(&self.folder.join("Cargo.toml"), |new| fs::write(new, &self.manifest))?;
        fs::write(self.folder.join("lib.rs"), "")?;
        match &self.lock_file {
            Some(text) => replace(&self.folder.join("Cargo.lock"), |new| fs::write(new, text))?,
            None => drop(fs::remove_file(self.folder.join("Cargo.lock"))),
        }
        Ok(lock)
    }

    /// Manifests whose change makes the answer old: those of crates on this machine, and of the workspaces around them.
    fn watched(&self, metadata: &Metadata) -> BTreeSet<PathBuf> {
        let local = metadata.packages.iter().filter(|package| package.is_local() && !package.manifest.starts_with(&self.folder));
        let above = local.flat_map(|package| package.folder().ancestors().map(|folder| folder.join("Cargo.toml")));
        above.filter(|manifest| manifest.is_file() && !manifest.starts_with(self.workspace.own())).collect()
    }
}

/// A folder without symbolic links on its way, as cargo knows it where another crate leads to it.
fn source(profile: &Profile, source: &CrateSource) -> PackageSource {
    match source {
        CrateSource::Path(path) => PackageSource::Path(real(&profile.folder.join(path))),
        other => PackageSource::from(other),
    }
}

fn real(folder: &Path) -> String {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned()).to_string_lossy().into_owned()
}

//! Keeps `generated/` equal to what the profiles and the declarations say: writes it, or shows how it differs.

mod folder;
pub(crate) mod rules;
mod unified_diff;

pub(crate) use folder::{write_crate, write_generated};

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use crate::build::{BuildError, RunLock};
use crate::diagnostics::Diagnostic;
use crate::workspace::Workspace;
use folder::difference;
use unified_diff::unified_diff;

/// A folder of generated files: the crate of a profile, or the schemas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The folder.
    pub folder: PathBuf,
    /// Whole text of each file, by path inside the folder, with `/`.
    pub files: BTreeMap<&'static str, String>,
}

/// What `sync` changed or would change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A file that is missing, or has another text than it should.
    File {
        /// The file, relative to the workspace.
        file: String,
        /// From what is there to what should be, as a unified diff.
        diff: String,
    },
    /// A file in a generated crate, or a whole generated crate, that belongs to no profile.
    Orphan {
        /// The file or folder, relative to the workspace.
        path: String,
    },
}

impl Change {
    /// A file that should have another text.
    #[must_use]
    pub fn of_text(file: String, held: &str, text: &str) -> Self {
        Self::File { diff: unified_diff(&file, held, text), file }
    }

    /// The change as a problem of a workspace that should need none.
    #[must_use]
    pub fn diagnostic(&self) -> Diagnostic {
        match self {
            Self::File { file, .. } => rules::stale_file::stale_file(file),
            Self::Orphan { path } => rules::orphan::orphan(path),
        }
    }
}

/// Compares the folders with what is on disk. `whole` says that `all` holds every profile of the workspace, so that what belongs
/// to none of them is an orphan.
///
/// # Errors
/// When something cannot be read.
pub fn compare(workspace: &Workspace, all: &[Target], whole: bool) -> Result<Vec<Change>, BuildError> {
    let mut changes = Vec::new();
    for target in all {
        changes.extend(difference(workspace, target)?);
    }
    if whole {
        changes.extend(orphans(workspace, all)?.into_iter().map(|path| Change::Orphan { path: workspace.relative(&path) }));
    }
    Ok(changes)
}

/// Writes the folders and removes orphans; yields what changed. The lock shows that no other run works in the workspace.
///
/// # Errors
/// When something cannot be read or written.
pub fn write(workspace: &Workspace, all: &[Target], whole: bool, _lock: &RunLock) -> Result<Vec<Change>, BuildError> {
    let changes = compare(workspace, all, whole)?;
    for target in all {
        write_generated(&target.folder, &target.files)?;
    }
    if whole {
        for orphan in orphans(workspace, all)? {
            fs::remove_dir_all(&orphan).map_err(BuildError::io(&orphan))?;
        }
    }
    Ok(changes)
}

/// Folders of generated crates whose profile is gone. Other folders in `generated/` (catalogs) have no manifest.
fn orphans(workspace: &Workspace, all: &[Target]) -> Result<Vec<PathBuf>, BuildError> {
    let folder = workspace.generated();
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let known: BTreeSet<&PathBuf> = all.iter().map(|target| &target.folder).collect();
    let mut orphans = Vec::new();
    for entry in fs::read_dir(&folder).map_err(BuildError::io(&folder))? {
        let entry = entry.map_err(BuildError::io(&folder))?;
        if !known.contains(&entry.path()) && entry.path().join("Cargo.toml").is_file() {
            orphans.push(entry.path());
        }
    }
    orphans.sort();
    Ok(orphans)
}

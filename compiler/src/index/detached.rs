//! Cargo's knowledge of a workspace that it must not or cannot work in: its lock file would have to change, which is not for a run
//! that only reads, or its generated crates cannot be read. None of these may be there yet, or one may ask for a crate that is gone;
//! the compiler could not mend that if it needed them to start.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::Network;
use super::metadata::{Metadata, MetadataError, ask};
use crate::mirror::Mirror;
use crate::workspace::Workspace;

/// Name of the mirror; no profile is called so.
const NAME: &str = ".index";

/// A member pattern such as `generated/*` must match something.
const PLACEHOLDER: &str = "[package]\nname = \"dsh-agent-placeholder\"\nversion = \"0.0.0\"\nedition = \"2024\"\n";

/// Asks cargo in a mirror without generated crates.
pub(super) fn ask_detached(workspace: &Workspace, network: Network) -> Result<Metadata, MetadataError> {
    let mirror = mirror(workspace).map_err(|source| MetadataError::Io { folder: workspace.own(), source })?;
    // The lock file of the mirror has to change: it lists no generated crate but the placeholder.
    let mut metadata = ask(mirror.root(), Network { locked: false, ..network }).map_err(|error| match error {
        MetadataError::Refused { words } => MetadataError::Refused { words: unmirrored(&words, mirror.root(), workspace.root()) },
        other => other,
    })?;
    for package in &mut metadata.packages {
        unmirror(&mut package.manifest, mirror.root(), workspace.root());
        if let Some((_, root)) = &mut package.lib {
            unmirror(root, mirror.root(), workspace.root());
        }
    }
    Ok(metadata)
}

/// A mirror that cargo can read.
fn mirror(workspace: &Workspace) -> io::Result<Mirror> {
    let mirror = Mirror::refresh(workspace, NAME, &workspace.lock_file())?;
    let placeholder = mirror.root().join("generated").join("placeholder");
    fs::create_dir_all(placeholder.join("src"))?;
    fs::write(placeholder.join("Cargo.toml"), PLACEHOLDER)?;
    fs::write(placeholder.join("src").join("lib.rs"), "")?;
    Ok(mirror)
}

fn unmirror(path: &mut PathBuf, mirror: &Path, real: &Path) {
    if let Ok(inside) = path.strip_prefix(mirror) {
        *path = real.join(inside);
    }
}

/// Cargo's words with the real paths in them.
fn unmirrored(words: &str, mirror: &Path, real: &Path) -> String {
    words.replace(&*mirror.to_string_lossy(), &real.to_string_lossy())
}

//! A workspace for builds that must not change the real one.
//!
//! It shows the real workspace's folders through links and has a `generated/` of its own with the one crate to build. Cargo
//! knows a member by its path relative to the workspace's root, so the plugins that were compiled for the real workspace serve
//! here as well, and only the generated crate is compiled. That crate's folder has a name that the real workspace does not use,
//! so that cargo never takes one for the other.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::BuildError;
use crate::emit::Generated;
use crate::sync::write_generated;
use crate::workspace::Workspace;

/// Makes or refreshes the scratch workspace of a profile and yields its root.
pub(super) fn prepare(workspace: &Workspace, generated: &Generated) -> Result<PathBuf, BuildError> {
    let root = workspace.own().join("scratch").join(&generated.profile);
    fs::create_dir_all(&root).map_err(BuildError::io(&root))?;
    link_entries(workspace, &root).map_err(BuildError::io(&root))?;
    write_generated(&root.join("generated").join(format!("{}-scratch", generated.profile)), generated)?;
    copy_lock(workspace, &root)?;
    Ok(root)
}

fn link_entries(workspace: &Workspace, root: &Path) -> io::Result<()> {
    for entry in fs::read_dir(root)? {
        let path = entry?.path();
        if path.is_symlink() {
            fs::remove_file(path)?;
        }
    }
    for entry in fs::read_dir(workspace.root())? {
        let name = entry?.file_name();
        if !matches!(name.to_str(), Some("target" | "generated" | "Cargo.lock" | ".git")) {
            symlink(workspace.root().join(&name), root.join(&name))?;
        }
    }
    Ok(())
}

/// Cargo keeps the versions of the real lock file and takes out what the real generated crates ask for.
fn copy_lock(workspace: &Workspace, root: &Path) -> Result<(), BuildError> {
    let (real, lock) = (workspace.root().join("Cargo.lock"), root.join("Cargo.lock"));
    if real.is_file() {
        fs::copy(&real, &lock).map_err(BuildError::io(&real))?;
    }
    Ok(())
}

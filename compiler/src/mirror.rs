//! A second view of the workspace, for what must not change the real one.
//!
//! It shows the real workspace's folders through links and has a `generated/` and a lock file of its own. Cargo knows a member by
//! its path relative to the workspace's root, so what was compiled for the real workspace serves a mirror as well.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::workspace::Workspace;

/// What a mirror has itself or must not show.
const OWN: [&str; 4] = ["target", "generated", "Cargo.lock", ".git"];

/// A mirror of a workspace.
pub(crate) struct Mirror {
    root: PathBuf,
}

impl Mirror {
    /// Makes or refreshes the mirror of a name. What lies in its `generated/` stays. The lock file is that of the real workspace;
    /// cargo takes out what the real generated crates ask for and changes no version.
    pub(crate) fn refresh(workspace: &Workspace, name: &str) -> io::Result<Self> {
        let root = workspace.own().join("scratch").join(name);
        fs::create_dir_all(root.join("generated"))?;
        for entry in fs::read_dir(&root)? {
            let path = entry?.path();
            if path.is_symlink() {
                fs::remove_file(path)?;
            }
        }
        for entry in fs::read_dir(workspace.root())? {
            let name = entry?.file_name();
            if !OWN.iter().any(|own| name == *own) {
                symlink(workspace.root().join(&name), root.join(&name))?;
            }
        }
        let lock = workspace.root().join("Cargo.lock");
        if lock.is_file() {
            fs::copy(lock, root.join("Cargo.lock"))?;
        }
        Ok(Self { root })
    }

    /// Its root.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }
}

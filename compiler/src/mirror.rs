//! A second view of the workspace, for what must not change the real one.
//!
//! It shows the real workspace's folders through links and has a `generated/` and a lock file of its own. Cargo knows a member by
//! its path relative to the workspace's root, so what was compiled for the real workspace serves a mirror as well.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::lock::Lock;
use crate::workspace::Workspace;

/// What a mirror has itself or must not show.
const OWN: [&str; 4] = ["target", "generated", "Cargo.lock", ".git"];

/// A mirror of a workspace. One process at a time has it.
pub(crate) struct Mirror {
    root: PathBuf,
    _lock: Lock,
}

impl Mirror {
    /// Makes or refreshes the mirror of a name. What lies in its `generated/` stays. The lock file is a copy of `lock_file`, where
    /// that is one; cargo takes out what the real generated crates ask for and changes no version.
    pub(crate) fn refresh(workspace: &Workspace, name: &str, lock_file: &Path) -> io::Result<Self> {
        let folder = workspace.own().join("scratch");
        let root = folder.join(name);
        let lock = Lock::take(&folder.join(format!("{name}.lock")))?;
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
        if lock_file.is_file() {
            fs::copy(lock_file, root.join("Cargo.lock"))?;
        }
        Ok(Self { root, _lock: lock })
    }

    /// Its root.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }
}

//! A process that may not do everything. Where the tests run as root, it runs as the user `nobody` (65534), and its place is given to
//! that user; else file modes hold for it anyway.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};

use dsh_product_tests::{Place, binary};
use tempfile::TempDir;
use tokio::process::Command;

const NOBODY: u32 = 65534;

/// A binary that the unprivileged user can start.
pub struct Reachable {
    pub path: PathBuf,
    _copy: Option<TempDir>,
}

impl Reachable {
    /// The binary of the profile `minimal`, copied where the way to it is closed to others.
    pub fn minimal() -> Self {
        let path = binary("minimal");
        let open = |folder: &Path| fs::metadata(folder).is_ok_and(|found| found.permissions().mode() & 0o005 == 0o005);
        if !rustix::process::geteuid().is_root() || path.ancestors().all(open) {
            return Self { path, _copy: None };
        }
        let folder = tempfile::tempdir().unwrap();
        set_mode(folder.path(), 0o755);
        let copy = folder.path().join("dsh-minimal");
        fs::copy(path, &copy).unwrap();
        Self { path: copy, _copy: Some(folder) }
    }
}

/// A command of a place that runs without privileges. All that is in the place belongs to its user from now on.
pub fn command(place: &Place, binary: &Reachable, server: &str) -> Command {
    let mut command = place.command(&binary.path, server);
    if rustix::process::geteuid().is_root() {
        let workspace = place.workspace();
        give(workspace.parent().unwrap());
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

fn give(path: &Path) {
    chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        give(&entry.path());
    }
}

/// Sets the mode of a file or folder.
pub fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

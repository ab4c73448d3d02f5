//! A crate in a workspace of its own, for a profile with crates from outside the workspace. A mirror would not do: a crate from outside
//! that leads to the workspace's crates by path leads to the real ones, and cargo takes a mirror's for others.

use std::fs;
use std::path::{Path, PathBuf};

use dsh_declare::digest::fnv1a;

use super::BuildError;
use crate::emit::{Form, emit};
use crate::inventory::Inventory;
use crate::lock::Lock;
use crate::plan::Plan;
use crate::replace::replace;
use crate::sync::write_crate;
use crate::workspace::Workspace;

/// The crate. One process at a time has it.
pub(crate) struct Standing {
    root: PathBuf,
    _lock: Lock,
}

impl Standing {
    /// Writes it. Its lock file starts as a copy of `lock_file`, where that is one.
    pub(crate) fn prepare(
        workspace: &Workspace,
        plan: &Plan,
        inventory: &Inventory,
        profile: &Path,
        lock_file: &Path,
    ) -> Result<Self, BuildError> {
        let real = profile.canonicalize().map_err(BuildError::io(profile))?;
        let place = fnv1a(real.to_string_lossy().as_bytes());
        let root = workspace.own().join("scratch").join(format!(".standing-{}-{place:016x}", plan.profile));
        let lock = Lock::take(&root.with_extension("lock")).map_err(BuildError::io(&root))?;
        write_crate(&root, &emit(plan, inventory, Form::Anywhere { workspace: workspace.root(), profile: &real }).files)?;
        if lock_file.is_file() {
            let copy = root.join("Cargo.lock");
            replace(&copy, |new| fs::copy(lock_file, new).map(drop)).map_err(BuildError::io(&copy))?;
        }
        Ok(Self { root, _lock: lock })
    }

    /// Its root.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }
}

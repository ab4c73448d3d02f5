//! The lock file beside a profile that is kept outside of its workspace.

use std::fs;
use std::path::{Path, PathBuf};

use super::standing::Standing;
use super::{BuildError, unlocked};
use crate::compile::Compiled;
use crate::index::{Network, ask};
use crate::inventory::Inventory;
use crate::replace::replace;
use crate::workspace::Workspace;

/// Brings the lock file beside a profile up to date, where the profile has crates from outside the workspace and is kept outside of it.
/// Yields the file when it changed.
pub(crate) fn lock_beside(workspace: &Workspace, compiled: &Compiled, network: Network) -> Result<Option<PathBuf>, BuildError> {
    let Some(Fresh { standing, own }) = fresh(workspace, compiled, network)? else { return Ok(None) };
    Ok(keep_lock_file(standing.root(), &own)?.then_some(own))
}

/// A lock file that is not what it should be.
pub(crate) struct StaleLock {
    /// The file.
    pub path: PathBuf,
    /// What is there.
    pub held: String,
    /// What should be.
    pub fresh: String,
}

/// How the lock file beside a profile differs from what it should be. Nothing beside the profile is written.
pub(crate) fn stale_lock_beside(workspace: &Workspace, compiled: &Compiled, network: Network) -> Result<Option<StaleLock>, BuildError> {
    // What would change is to be told, not to be refused.
    let Some(Fresh { standing, own }) = fresh(workspace, compiled, unlocked(network))? else { return Ok(None) };
    let text = |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned();
    let (held, fresh) = (text(&own), text(&standing.root().join("Cargo.lock")));
    Ok((held != fresh).then_some(StaleLock { path: own, held, fresh }))
}

/// A crate whose lock file is as it should be.
struct Fresh {
    standing: Standing,
    /// The lock file beside the profile.
    own: PathBuf,
}

fn fresh(workspace: &Workspace, compiled: &Compiled, network: Network) -> Result<Option<Fresh>, BuildError> {
    let Some(folder) = compiled.elsewhere.as_ref().filter(|_| compiled.lists_crates()) else { return Ok(None) };
    let own = folder.join("Cargo.lock");
    let (start, network) = if own.is_file() { (own.clone(), network) } else { (workspace.lock_file(), unlocked(network)) };
    let inventory = Inventory::of_profile(&compiled.plan, &compiled.declarations.metadata, workspace);
    let standing = Standing::prepare(workspace, &compiled.plan, &inventory, folder, &start)?;
    ask(standing.root(), network).map_err(|error| BuildError::Lock { path: own.clone(), why: error.to_string() })?;
    Ok(Some(Fresh { standing, own }))
}

/// Makes a lock file equal to that of a scratch workspace. Yields whether it changed.
pub(super) fn keep_lock_file(root: &Path, own: &Path) -> Result<bool, BuildError> {
    let used = root.join("Cargo.lock");
    if fs::read(&used).unwrap_or_default() == fs::read(own).unwrap_or_default() {
        return Ok(false);
    }
    replace(own, |new| fs::copy(&used, new).map(drop)).map_err(BuildError::io(own))?;
    Ok(true)
}

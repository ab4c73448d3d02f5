//! Containment: where a mutation may land.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use dsh_fs::{FsError, FsErrorCode, FsTarget, WriteScope};

use crate::failure::from_io;
use crate::path;

/// The path at which a mutation of the target lands now, once the scope allows it. Symlinks that appeared in it since it was
/// resolved are followed, so what is checked is what is written.
pub fn landing(target: &FsTarget, scope: &WriteScope) -> Result<PathBuf, FsError> {
    let landing = path::real(target.target_key.as_path()).map_err(|error| from_io(&error, "resolve", &target.display_path))?;
    let allowed = match scope {
        WriteScope::Unconfined => true,
        WriteScope::ReadOnly => false,
        WriteScope::Roots(roots) => roots.iter().any(|root| lies_under(&landing, root)),
    };
    if allowed {
        return Ok(landing);
    }
    Err(FsError::new(FsErrorCode::SandboxDenied, format!("the sandbox policy allows no write to `{}`", target.display_path.display())))
}

/// Whether a path is a root or lies under it, by its text or by the identity of a directory on the way (bind mounts and
/// file systems that ignore case give one directory several names).
fn lies_under(landing: &Path, root: &Path) -> bool {
    let Ok(root) = path::real(root) else { return false };
    if landing.starts_with(&root) {
        return true;
    }
    let identity = |metadata: &Metadata| (metadata.dev(), metadata.ino());
    let Ok(root) = std::fs::metadata(&root) else { return false };
    landing.ancestors().filter_map(|part| std::fs::metadata(part).ok()).any(|part| identity(&part) == identity(&root))
}

//! Builds outside of the real workspace. The crate lies in a mirror of the workspace, so only it has to be compiled. Its folder has a
//! name that the real workspace does not use, so that cargo never takes one crate for the other.

use std::path::Path;

use super::BuildError;
use crate::emit::Generated;
use crate::mirror::Mirror;
use crate::sync::write_generated;
use crate::workspace::Workspace;

/// Writes a crate to the mirror of its profile. The mirror's lock file starts as a copy of `lock_file`.
pub(super) fn prepare(workspace: &Workspace, generated: &Generated, lock_file: &Path) -> Result<Mirror, BuildError> {
    let mirror = Mirror::refresh(workspace, &generated.profile, lock_file).map_err(BuildError::io(&workspace.own()))?;
    write_generated(&mirror.root().join("generated").join(format!("{}-scratch", generated.profile)), &generated.files)?;
    Ok(mirror)
}

//! Why there is no export.

use dsh_message::SessionId;
use dsh_session_persistence::PersistenceError;

use crate::patch::PatchError;

/// Why there is no export.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExportError {
    #[error(transparent)]
    Read(#[from] PersistenceError),
    #[error("session \"{0}\" has nothing to export: nothing was said in it")]
    Empty(SessionId),
    #[error("session \"{0}\" names no working folder, so there is nothing to compare")]
    NoFolder(SessionId),
    #[error(transparent)]
    Patch(#[from] PatchError),
    #[error("the export has no JSON form: {0}")]
    Form(String),
}

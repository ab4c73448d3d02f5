//! Why an event was not appended.

use dsh_json::JsonError;
use dsh_runtime::ListenerError;

use crate::state::SeedError;
use crate::surface::SurfaceError;

/// Why an event was not appended; the log is as it was before.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// Its data has no lossless form.
    #[error("the data of `{kind}` cannot be logged: {source}")]
    Data {
        /// Type of the event.
        kind: &'static str,
        /// What is wrong with it.
        source: JsonError,
    },
    /// It does not fit the model-visible list.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// It was appended from inside the publication of another event of the same session.
    #[error("`{kind}` was appended while another event of session `{session}` was being published")]
    Reentrant {
        /// Type of the event.
        kind: &'static str,
        /// The session.
        session: String,
    },
    /// A check refused it.
    #[error("`{kind}` was refused: {source}")]
    Refused {
        /// Type of the event.
        kind: &'static str,
        /// The check's words.
        source: ListenerError,
    },
    /// Its data does not read back; a fault of the event's declaration.
    #[error(transparent)]
    Unreadable(#[from] SeedError),
}

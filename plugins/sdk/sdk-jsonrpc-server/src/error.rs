//! Why a request is answered with an error. The texts reach the client; all of them have the code −32603.

use dsh_agent::{AgentFailure, InboxFailure};
use dsh_message::SessionId;
use dsh_session_persistence::PersistenceError;

/// The one code of errors on this wire.
pub(crate) const CODE: i32 = -32603;

/// Why a request fails.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MethodError {
    #[error("unknown DeepSeek Harness SDK runtime method: {0}")]
    UnknownMethod(String),
    #[error("SDK server is not initialized")]
    NotInitialized,
    #[error("SDK server is shutting down")]
    ShuttingDown,
    #[error("too many requests are open; wait for answers")]
    TooManyRequests,
    #[error("{0}")]
    Params(String),
    #[error("no adapter registered for provider \"{0}\"")]
    NoAdapter(String),
    #[error("session \"{0}\" already exists")]
    Exists(SessionId),
    #[error("SDK session is already open or opening: {0}")]
    AlreadyOpen(SessionId),
    #[error("session \"{0}\" not found")]
    NotFound(SessionId),
    #[error("session agent was disposed outside the server: {0}")]
    DisposedOutside(SessionId),
    #[error("the working directory of a session cannot be changed in this version")]
    FixedWorkingDirectory,
    #[error("the server failed to carry the request out; its log says why")]
    Panicked,
    #[error(transparent)]
    Agent(#[from] AgentFailure),
    #[error(transparent)]
    Inbox(#[from] InboxFailure),
    #[error(transparent)]
    Persistence(#[from] PersistenceError),
}

//! Why a log is not taken, before it is known whose log it is.

use std::io;
use std::path::Path;

use dsh_message::SessionId;
use dsh_session_persistence::PersistenceError;

/// Why a line or a whole log is refused.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// Another version, vocabulary or encoding.
    Unsupported(String),
    /// Damage.
    Corrupt(String),
    /// The operating system's words.
    Io(io::Error),
}

impl Refusal {
    /// The error of the session whose log it is.
    pub(crate) fn of(self, id: &SessionId, path: &Path) -> PersistenceError {
        let (id, path) = (id.clone(), path.to_owned());
        match self {
            Self::Unsupported(reason) => PersistenceError::Unsupported { id, reason, path },
            Self::Corrupt(reason) => PersistenceError::Corrupt { id, reason, path },
            Self::Io(source) => PersistenceError::Io { path, source },
        }
    }

    /// The words alone.
    pub(crate) fn reason(self) -> String {
        match self {
            Self::Unsupported(reason) | Self::Corrupt(reason) => reason,
            Self::Io(error) => error.to_string(),
        }
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

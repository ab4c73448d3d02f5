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

    /// Says of damage in which frame of a file it is.
    pub(crate) fn in_frame(self, start: u64) -> Self {
        match self {
            Self::Corrupt(reason) => Self::Corrupt(format!("the frame at byte {start}: {reason}")),
            other => other,
        }
    }

    /// Says of an event that cannot be read how the vocabulary of its log differs.
    pub(crate) fn explained(self, difference: Option<&str>) -> Self {
        let explained = |reason: String| difference.map_or(reason.clone(), |difference| format!("{reason}; {difference}"));
        match self {
            Self::Unsupported(reason) => Self::Unsupported(explained(reason)),
            Self::Corrupt(reason) => Self::Corrupt(explained(reason)),
            Self::Io(error) => Self::Io(error),
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

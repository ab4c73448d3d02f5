//! Why the content of a log is not taken, before it is known whose log it is.

use std::path::Path;

use dsh_message::SessionId;
use dsh_session_persistence::PersistenceError;

/// Why a line or a whole log is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Another version or vocabulary.
    Unsupported(String),
    /// Damage.
    Corrupt(String),
}

impl Refusal {
    /// The error of the session whose log it is.
    pub(crate) fn of(self, id: &SessionId, path: &Path) -> PersistenceError {
        let (id, path) = (id.clone(), path.to_owned());
        match self {
            Self::Unsupported(reason) => PersistenceError::Unsupported { id, reason, path },
            Self::Corrupt(reason) => PersistenceError::Corrupt { id, reason, path },
        }
    }
}

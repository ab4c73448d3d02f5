//! Why input was not taken.

use dsh_message::{MessageId, SessionId};
use dsh_session::AppendError;

/// Why a change does not fit the lists of an inbox.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// A message is pending at most once.
    #[error("message \"{0}\" is already pending")]
    Pending(MessageId),
    /// The list has no such place.
    #[error("the list has no such place")]
    Place,
    /// The record of the change has data of another form.
    #[error("its data has another form")]
    Form,
}

/// Why input was not taken.
#[derive(Debug, thiserror::Error)]
pub enum InboxFailure {
    /// It does not fit what is pending.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// The log refused the change.
    #[error(transparent)]
    Append(#[from] AppendError),
    /// A recorded change does not fit those before it.
    #[error("event {seq} cannot be a change of the inbox: {source}")]
    Replay {
        /// The event.
        seq: u64,
        /// What is wrong with it.
        source: Misfit,
    },
    /// The agent takes no input any more.
    #[error("agent \"{0}\" has ended")]
    Ended(SessionId),
}

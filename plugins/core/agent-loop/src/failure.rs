//! What can end a turn before its time.

use std::error::Error;

use dsh_agent::InboxFailure;
use dsh_message::LlmFailure;
use dsh_runtime::ListenerError;
use dsh_session::AppendError;
use dsh_session::catalogue::AbortCause;

/// Why a turn did not go on.
#[derive(Debug)]
pub(crate) enum Stop {
    /// It was given up.
    Aborted(AbortCause),
    /// Something failed.
    Failed(LlmFailure),
}

impl Stop {
    /// A failure that has no code of its own.
    pub(crate) fn unknown(error: &(dyn Error + 'static)) -> Self {
        Self::Failed(LlmFailure::new("UNKNOWN", cause_chain(error)))
    }
}

impl From<AppendError> for Stop {
    fn from(error: AppendError) -> Self {
        Self::unknown(&error)
    }
}

impl From<InboxFailure> for Stop {
    fn from(error: InboxFailure) -> Self {
        Self::unknown(&error)
    }
}

impl From<ListenerError> for Stop {
    fn from(error: ListenerError) -> Self {
        Self::unknown(&error)
    }
}

impl From<dsh_system_prompt::PromptError> for Stop {
    fn from(error: dsh_system_prompt::PromptError) -> Self {
        Self::unknown(&error)
    }
}

impl From<LlmFailure> for Stop {
    fn from(failure: LlmFailure) -> Self {
        Self::Failed(failure)
    }
}

/// An error with its causes, `: ` between them; a cause whose words its error already holds is left out.
fn cause_chain(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let words = cause.to_string();
        if !text.contains(&words) {
            text.push_str(": ");
            text.push_str(&words);
        }
        next = cause.source();
    }
    text
}

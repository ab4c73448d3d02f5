//! How a run ended, for people and for scripts.

use dsh_agent::InboxFailure;
use dsh_message::LlmFailure;
use dsh_runtime::Exit;
use dsh_session::catalogue::TurnEndReason;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) exit: Exit,
    /// What a person is told; nothing when all went well.
    pub(crate) said: Option<String>,
    /// Whether the last reply is the answer.
    pub(crate) answered: bool,
}

impl Verdict {
    fn failed(exit: Exit, said: impl Into<String>) -> Self {
        Self { exit, said: Some(said.into()), answered: false }
    }

    /// The agent did not take the task.
    pub(crate) fn refused(error: &InboxFailure) -> Self {
        Self::failed(Exit::GAVE_UP, format!("the task was not taken: {error}"))
    }

    /// The process was asked to end. The exit status is decided by the signal.
    pub(crate) fn interrupted() -> Self {
        Self::failed(Exit::GAVE_UP, "interrupted")
    }

    /// By the end of the last turn; none when there was no turn.
    pub(crate) fn of(reason: Option<&TurnEndReason>) -> Self {
        match reason {
            Some(TurnEndReason::Completed) => Self { exit: Exit::COMPLETED, said: None, answered: true },
            Some(TurnEndReason::MaxTokens) => {
                Self { answered: true, ..Self::failed(Exit::BUDGET, "the reply was cut off at the ceiling of output tokens") }
            }
            Some(TurnEndReason::Blocked) => Self::failed(Exit::GAVE_UP, "the task was rejected before the model saw it"),
            Some(TurnEndReason::Aborted { .. } | TurnEndReason::Interrupted) => Self::failed(Exit::GAVE_UP, "the run was cancelled"),
            Some(TurnEndReason::Error { error }) => Self::failed(exit_of(error), error.to_string()),
            None => Self::failed(Exit::GAVE_UP, "nothing was run"),
        }
    }

    /// The same for a run that left no answer; one that completed has something to explain then.
    pub(crate) fn without_answer(self) -> Self {
        match self.exit {
            Exit::COMPLETED => Self::failed(Exit::GAVE_UP, "the model gave no answer"),
            _ => self,
        }
    }
}

fn exit_of(failure: &LlmFailure) -> Exit {
    match failure.code.as_str() {
        // The surroundings hold no key; one that the provider refused is the provider's word.
        "MISSING_CREDENTIAL" => Exit::ENVIRONMENT,
        dsh_runtime::InvariantError::CODE => Exit::BUG,
        // A failure of the harness, not of a call.
        "UNKNOWN" => Exit::GAVE_UP,
        _ => Exit::PROVIDER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dsh_session::catalogue::AbortCause;

    #[test]
    fn every_end_has_its_exit_status() {
        let error = |code: &str| TurnEndReason::Error { error: LlmFailure::new(code, "words") };
        for (reason, exit, answered) in [
            (TurnEndReason::Completed, 0, true),
            (TurnEndReason::MaxTokens, 3, true),
            (TurnEndReason::Blocked, 1, false),
            (TurnEndReason::Aborted { reason: AbortCause::User }, 1, false),
            (error("AUTH"), 4, false),
            (error("RATE_LIMIT"), 4, false),
            (error("MISSING_CREDENTIAL"), 5, false),
            (error("INVARIANT"), 101, false),
            (error("UNKNOWN"), 1, false),
        ] {
            let verdict = Verdict::of(Some(&reason));
            assert_eq!((verdict.exit, verdict.answered), (Exit(exit), answered), "{reason:?}");
        }
        assert_eq!(Verdict::of(Some(&error("AUTH"))).said.as_deref(), Some("AUTH: words"));
        assert_eq!(Verdict::of(None).exit, Exit::GAVE_UP);
    }

    #[test]
    fn a_completed_run_without_an_answer_gave_up() {
        assert_eq!(Verdict::of(Some(&TurnEndReason::Completed)).without_answer().exit, Exit::GAVE_UP);
        assert_eq!(Verdict::of(Some(&TurnEndReason::MaxTokens)).without_answer().exit, Exit::BUDGET);
    }
}

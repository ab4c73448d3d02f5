//! How a run ended, for people and for scripts.

use dsh_agent::InboxFailure;
use dsh_message::LlmFailure;
use dsh_runtime::ListenerError;
use dsh_session::AppendError;
use dsh_session::catalogue::TurnEndReason;

use crate::outcome::Outcome;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) outcome: Outcome,
    /// What a person is told; nothing when all went well.
    pub(crate) said: Option<String>,
    /// Whether the last reply is the answer.
    pub(crate) answered: bool,
}

impl Verdict {
    pub(crate) fn failed(outcome: Outcome, said: impl Into<String>) -> Self {
        Self { outcome, said: Some(said.into()), answered: false }
    }

    /// The agent did not take the task.
    pub(crate) fn refused(error: &InboxFailure) -> Self {
        let outcome = match error {
            InboxFailure::Append(AppendError::Refused { source: ListenerError::Invariant(_), .. }) => Outcome::Bug,
            // Whoever keeps the log cannot.
            InboxFailure::Append(_) => Outcome::Environment,
            InboxFailure::Misfit(_) | InboxFailure::Replay { .. } | InboxFailure::Ended(_) => Outcome::GaveUp,
        };
        Self::failed(outcome, format!("the task was not taken: {error}"))
    }

    /// The process was asked to end.
    pub(crate) fn interrupted() -> Self {
        Self::failed(Outcome::Interrupted, "interrupted")
    }

    /// By the end of the last turn; none when there was no turn.
    pub(crate) fn of(reason: Option<&TurnEndReason>) -> Self {
        match reason {
            Some(TurnEndReason::Completed) => Self { outcome: Outcome::Completed, said: None, answered: true },
            Some(TurnEndReason::MaxTokens) => {
                Self { answered: true, ..Self::failed(Outcome::Budget, "the reply was cut off at the ceiling of output tokens") }
            }
            Some(TurnEndReason::Blocked) => Self::failed(Outcome::GaveUp, "the task was rejected before the model saw it"),
            Some(TurnEndReason::Aborted { .. } | TurnEndReason::Interrupted) => Self::failed(Outcome::GaveUp, "the run was cancelled"),
            Some(TurnEndReason::Error { error }) => Self::failed(outcome_of(error), error.to_string()),
            None => Self::failed(Outcome::GaveUp, "nothing was run"),
        }
    }

    /// Adds a problem that came after the run; only a completed one counts as failed then.
    pub(crate) fn but(self, problem: String) -> Self {
        let outcome = match self.outcome {
            Outcome::Completed => Outcome::Environment,
            other => other,
        };
        let said = Some(self.said.map_or_else(|| problem.clone(), |said| format!("{said}\ndsh: {problem}")));
        Self { outcome, said, ..self }
    }

    /// The same for a run that left no answer; one that completed has something to explain then.
    pub(crate) fn without_answer(self) -> Self {
        match self.outcome {
            Outcome::Completed => Self::failed(Outcome::GaveUp, "the model gave no answer"),
            _ => self,
        }
    }
}

fn outcome_of(failure: &LlmFailure) -> Outcome {
    match failure.code.as_str() {
        // The surroundings hold no key that could be sent, or lack something else; a key that the provider refused is the provider's word.
        "MISSING_CREDENTIAL" | "INVALID_CREDENTIAL" | "ENVIRONMENT" => Outcome::Environment,
        dsh_runtime::InvariantError::CODE => Outcome::Bug,
        // A failure of the harness, not of a call.
        "UNKNOWN" => Outcome::GaveUp,
        _ => Outcome::Provider,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dsh_runtime::Exit;
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
            (error("INVALID_CREDENTIAL"), 5, false),
            (error("ENVIRONMENT"), 5, false),
            (error("INVARIANT"), 101, false),
            (error("UNKNOWN"), 1, false),
        ] {
            let verdict = Verdict::of(Some(&reason));
            assert_eq!((verdict.outcome.exit(None), verdict.answered), (Exit(exit), answered), "{reason:?}");
        }
        assert_eq!(Verdict::of(Some(&error("AUTH"))).said.as_deref(), Some("AUTH: words"));
        assert_eq!(Verdict::of(None).outcome, Outcome::GaveUp);
    }

    #[test]
    fn a_completed_run_without_an_answer_gave_up() {
        assert_eq!(Verdict::of(Some(&TurnEndReason::Completed)).without_answer().outcome, Outcome::GaveUp);
        assert_eq!(Verdict::of(Some(&TurnEndReason::MaxTokens)).without_answer().outcome, Outcome::Budget);
    }
}

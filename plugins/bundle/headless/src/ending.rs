//! How a run ended, as an exit status.

use dsh_runtime::Exit;
use dsh_session::catalogue::TurnEndReason;

/// The status for the end of the last turn; without any turn the task was never begun.
pub(crate) fn exit(reason: Option<&TurnEndReason>) -> Exit {
    match reason {
        Some(TurnEndReason::Completed) => Exit::COMPLETED,
        Some(TurnEndReason::MaxTokens) => Exit::BUDGET,
        Some(TurnEndReason::Error { error }) => match error.code.as_str() {
            "MISSING_CREDENTIAL" => Exit::ENVIRONMENT,
            // What no adapter has named is a fault of a plugin.
            "UNKNOWN" => Exit::BUG,
            _ => Exit::PROVIDER,
        },
        Some(TurnEndReason::Blocked | TurnEndReason::Aborted { .. } | TurnEndReason::Interrupted) | None => Exit::GAVE_UP,
    }
}

/// The words for stderr when a run did not complete.
pub(crate) fn complaint(reason: Option<&TurnEndReason>) -> Option<String> {
    Some(match reason? {
        TurnEndReason::Completed => return None,
        TurnEndReason::MaxTokens => "the reply reached the ceiling of output".to_owned(),
        TurnEndReason::Blocked => "a plugin refused the task".to_owned(),
        TurnEndReason::Aborted { .. } => "the run was given up".to_owned(),
        TurnEndReason::Interrupted => "the run was interrupted".to_owned(),
        TurnEndReason::Error { error } => format!("{}: {}", error.code, error.message),
    })
}

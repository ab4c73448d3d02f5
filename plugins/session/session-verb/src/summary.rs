//! What a list tells of a session.

use dsh_runtime::Timestamp;
use dsh_session::SessionEvent;
use dsh_session::catalogue::{TurnEnd, TurnEndReason, TurnStart};
use serde::Deserialize;

/// Type of the event that names a session.
const TITLE: &str = "session/title";

/// The fold of a log.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Summary {
    /// The title in force.
    pub(crate) title: Option<String>,
    /// Number of the last turn.
    pub(crate) turns: u64,
    /// Time of the last event.
    pub(crate) last: Option<Timestamp>,
    /// Why the last turn ended; none while it is open, or before the first.
    pub(crate) end: Option<TurnEndReason>,
}

impl Summary {
    /// Takes the next event in.
    pub(crate) fn take(&mut self, event: &SessionEvent) {
        self.last = Some(event.time);
        if let Some(TurnStart { turn }) = event.data() {
            (self.turns, self.end) = (turn, None);
        } else if let Some(TurnEnd { reason, .. }) = event.data() {
            self.end = Some(reason);
        } else if event.kind == TITLE {
            self.title = title(event).or_else(|| self.title.take());
        }
    }

    /// What the session is at, in one word.
    pub(crate) fn state(&self, is_live: bool) -> &'static str {
        match &self.end {
            _ if is_live => "live",
            None if self.turns == 0 => "new",
            Some(reason) => reason_word(reason),
            // A log that nobody writes is shown with the end of each turn.
            None => "open",
        }
    }
}

/// The reason as the log has it.
pub(crate) fn reason_word(reason: &TurnEndReason) -> &'static str {
    match reason {
        TurnEndReason::Completed => "completed",
        TurnEndReason::MaxTokens => "max-tokens",
        TurnEndReason::Blocked => "blocked",
        TurnEndReason::Aborted { .. } => "aborted",
        TurnEndReason::Error { .. } => "error",
        TurnEndReason::Interrupted => "interrupted",
    }
}

/// The title that an event gives.
fn title(event: &SessionEvent) -> Option<String> {
    #[derive(Deserialize)]
    struct Titled {
        title: String,
    }
    serde_json::from_str::<Titled>(event.data.get()).ok().map(|titled| titled.title)
}

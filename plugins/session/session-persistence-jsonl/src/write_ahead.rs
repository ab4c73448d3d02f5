//! Which events are written before they are committed, so that a log that cannot be written refuses them.

use dsh_session::SessionEvent;
use dsh_session::catalogue::ToolCallRecord;
use serde::Deserialize;

/// The record of a change of an inbox, which `dsh-agent` declares.
const INBOX_CHANGED: &str = "agent/inbox/spliced";

/// Whether something begins with the event that must not begin without its record: input that is taken, a tool call. All others
/// tell what has happened already and are held where they cannot be written.
pub(crate) fn is_due(event: &SessionEvent) -> bool {
    event.is::<ToolCallRecord>() || event.kind == INBOX_CHANGED && takes_input(event)
}

fn takes_input(event: &SessionEvent) -> bool {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Change {
        removed_count: Option<u64>,
    }
    serde_json::from_str::<Change>(event.data.get()).is_ok_and(|change| change.removed_count.is_none())
}

/// An event that is in the file and not committed yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ahead {
    /// Its number.
    pub(crate) seq: u64,
    /// Length of the file without it; absent where it made the file.
    pub(crate) before: Option<u64>,
}

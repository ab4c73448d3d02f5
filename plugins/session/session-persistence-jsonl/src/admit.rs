//! Which events are taken: known types in their present form, and older forms that can be brought into it.

use dsh_message::SessionId;
use dsh_session::catalogue::RequestHeader;
use dsh_session::{Seed, SessionEvent};
use dsh_session_persistence::is_known_type;

use crate::legacy;
use crate::refusal::Refusal;

/// Types that no reader takes any more.
const RETIRED: [&str; 2] = ["request/header-delta", "mode/set"];

/// The rules by which the events of one session are taken.
pub(crate) struct Admission {
    session: SessionId,
}

impl Admission {
    pub(crate) fn new(session: &SessionId) -> Self {
        Self { session: session.clone() }
    }

    /// Reads a line whose type and number are known.
    pub(crate) fn event(&self, kind: &str, seq: u64, line: &[u8]) -> Result<SessionEvent, Refusal> {
        if RETIRED.contains(&kind) {
            return Err(Refusal::Corrupt(format!("event {seq} has the retired type `{kind}`")));
        }
        let known = is_known_type(kind) || legacy::is_upgraded(kind);
        match serde_json::from_slice::<SessionEvent>(line) {
            Ok(event) if known || event.ignorable => Ok(event),
            Err(error) if known => Err(Refusal::Corrupt(format!("event {seq} (`{kind}`): {error}"))),
            _ => Err(Refusal::Unsupported(format!("event {seq} has the type `{kind}`, which this version does not know"))),
        }
    }

    /// Brings an event into its present form; `before` is the fold of the events before it.
    pub(crate) fn upgrade(&self, event: SessionEvent, before: &Seed) -> Result<SessionEvent, Refusal> {
        if event.is::<RequestHeader>() && legacy::has_retired_reason(&event) {
            return Err(Refusal::Corrupt(format!("event {} is a request header with the retired reason `fallback`", event.seq)));
        }
        let (seq, kind) = (event.seq, event.kind.clone());
        let broken = |rule| Refusal::Corrupt(format!("event {seq} (`{kind}`) has an older form that is incomplete: {rule}"));
        legacy::upgrade(event, &self.session, before).map_err(broken)
    }
}

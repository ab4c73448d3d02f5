//! Reading a log without taking it up.

use std::path::PathBuf;

use dsh_message::SessionId;
use dsh_session::{SessionEvent, SessionHeader};

/// Which log is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogSource {
    /// That of a session in the store.
    Stored(SessionId),
    /// A file that lies anywhere; whether it is compressed shows in its first bytes.
    File(PathBuf),
}

/// Takes the events of a log, in order. What it took of a log that turns out to be damaged is of no use.
pub type EventVisitor = Box<dyn FnMut(SessionEvent) + Send>;

/// What is known of a log that was read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspection {
    /// Its header.
    pub header: SessionHeader,
    /// Whether somebody writes it now. The turn that its last events are of may be open then.
    pub is_live: bool,
    /// How many of the events are not stored: they close what a writer that died left open.
    pub closers: usize,
}

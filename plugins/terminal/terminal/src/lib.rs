//! Persistent terminal sessions: a registry in which agents own sessions, and what a backend of such sessions implements.

mod attached;
mod backend;
mod error;
mod escape_filter;
mod raw;
mod registry;
mod scrollback;
mod session;
mod terminals;

pub use attached::AttachedTerminal;
pub use backend::{BackendRequest, Dialogue, TerminalBackend};
pub use error::TerminalError;
pub use escape_filter::{EscapeFilter, TextSink};
pub use raw::RawTerminal;
pub use registry::{SessionEntry, TerminalId};
pub use scrollback::{Page, Position, Scrollback, ScrollbackLimits};
pub use session::{SendOutcome, SendRequest, SessionStatus, TerminalSession, WaitReason};
pub use terminals::{Closed, Inject, OpenRequest, OpenedTerminal, Terminals};

//! A session as its backend runs it.

use dsh_runtime::{BoxFuture, CancellationToken};
use dsh_subprocess::{ExitOutcome, ProcessId, Signal};

use crate::{Page, RawTerminal, TerminalError};

/// One terminal session. The registry sees to it that at most one send or raw use is active at a time.
pub trait TerminalSession: Send + Sync {
    /// The process that leads the session.
    fn process(&self) -> ProcessId;

    /// Whether it runs.
    fn status(&self) -> SessionStatus;

    /// What it printed until it was ready.
    fn startup(&self) -> String;

    /// Types text and waits until the session seems to wait for input, or another [`WaitReason`] applies. When `cancel` is
    /// cancelled the foreground is interrupted and the send fails.
    fn send(&self, request: SendRequest, cancel: CancellationToken) -> BoxFuture<'_, Result<SendOutcome, TerminalError>>;

    /// A page of what is kept: `count` lines that end `offset` lines before the newest.
    fn read(&self, offset: u64, count: u64) -> Page;

    /// Signals the foreground group and says which it was.
    ///
    /// # Errors
    /// When there is none or the signal is refused.
    fn signal(&self, signal: Signal) -> Result<ProcessId, TerminalError>;

    /// Hands the terminal's output to the caller until the value is dropped. Output is not kept meanwhile.
    fn attach(&self) -> Box<dyn RawTerminal>;

    /// Ends the session and all its processes. An active send settles as [`WaitReason::SessionExit`].
    fn close(&self) -> BoxFuture<'_, Result<(), TerminalError>>;
}

/// Whether a session runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionStatus {
    /// It does.
    Running,
    /// It ended like this.
    Exited(ExitOutcome),
}

/// What to type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SendRequest {
    /// The text, which may hold control characters.
    pub text: String,
    /// Whether to end it with the return key. Empty text without it types nothing and only waits.
    pub submit: bool,
}

/// What a send gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SendOutcome {
    /// What the session printed since the send began.
    pub viewport: String,
    /// Why the wait ended.
    pub reason: WaitReason,
    /// Whether the session runs.
    pub status: SessionStatus,
    /// Whether the beginning of the viewport was cut off.
    pub truncated: bool,
}

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitReason {
    /// The session waits for input.
    StdinRead,
    /// It has been silent; it may still work.
    InferredIdle,
    /// The time is over; it still works.
    Timeout,
    /// It ended.
    SessionExit,
}

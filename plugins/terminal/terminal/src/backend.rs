//! What offers terminal sessions of one type.

use std::path::PathBuf;
use std::sync::Arc;

use dsh_agent::Agent;
use dsh_runtime::BoxFuture;

use crate::{TerminalError, TerminalId, TerminalSession};

/// Who talks to a session, which decides how its terminal is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialogue {
    /// A model or a person: input is echoed, a prompt is shown, output is kept to be read again.
    Interactive,
    /// A program through [`crate::RawTerminal`]: no echo, no prompt, lines of any length, and little output is kept.
    Scripted,
}

/// A session that a backend is to open.
#[derive(Clone)]
pub struct BackendRequest {
    /// Id that the session will have.
    pub id: TerminalId,
    /// The agent that will own it.
    pub agent: Arc<dyn Agent>,
    /// Working folder; the backend's choice when absent.
    pub cwd: Option<PathBuf>,
    /// Who talks to it.
    pub dialogue: Dialogue,
}

/// Opens terminal sessions of one type.
pub trait TerminalBackend: Send + Sync {
    /// Opens a session. An interactive one is ready for input when this returns.
    fn open(&self, request: BackendRequest) -> BoxFuture<'_, Result<Arc<dyn TerminalSession>, TerminalError>>;
}

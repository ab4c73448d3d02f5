//! One bash session.

use std::sync::Arc;

use dsh_runtime::{BoxFuture, CancellationToken};
use dsh_subprocess::{ProcessId, Signal, TerminalProcess};
use dsh_terminal::{Page, RawTerminal, SendOutcome, SendRequest, SessionStatus, TerminalError, TerminalSession, WaitReason};

use crate::config::Config;
use crate::pump::Printed;
use crate::raw_session::RawSession;
use crate::settle::{Before, settle};

/// A bash on a terminal.
pub struct BashSession {
    config: Arc<Config>,
    process: Arc<dyn TerminalProcess>,
    printed: Arc<Printed>,
    startup: String,
}

impl BashSession {
    /// A session whose output goes to `printed`.
    pub fn new(config: Arc<Config>, process: Arc<dyn TerminalProcess>, printed: Arc<Printed>) -> Self {
        Self { config, process, printed, startup: String::new() }
    }

    /// Waits for the first prompt.
    pub async fn ready(mut self) -> Result<Self, TerminalError> {
        let nothing = SendRequest { text: String::new(), submit: false };
        self.startup = self.send_and_settle(nothing, CancellationToken::new()).await?.viewport;
        Ok(self)
    }

    async fn send_and_settle(&self, request: SendRequest, cancel: CancellationToken) -> Result<SendOutcome, TerminalError> {
        let mut text = request.text;
        if request.submit {
            text.push('\r');
        }
        let before = Before::look(&self.printed, &*self.process, &text);
        let start = before.end();
        let wait = async {
            if !text.is_empty() {
                self.process.write(text.into_bytes()).await.map_err(TerminalError::Input)?;
            }
            Ok::<_, TerminalError>(settle(&self.config, &self.printed, &*self.process, before).await)
        };
        let reason = tokio::select! {
            reason = wait => reason?,
            () = cancel.cancelled() => {
                // Without a foreground there is nothing to interrupt: the session is ending.
                let _ = self.process.signal_foreground(Signal::INTERRUPT);
                return Err(TerminalError::Cancelled);
            }
        };
        let (viewport, truncated) = self.printed.model().since(start, self.config.max_read_bytes);
        Ok(SendOutcome { viewport, reason, status: self.status(), truncated })
    }
}

impl TerminalSession for BashSession {
    fn process(&self) -> ProcessId {
        self.process.leader()
    }

    fn status(&self) -> SessionStatus {
        self.printed.progress().borrow().status
    }

    fn startup(&self) -> String {
        self.startup.clone()
    }

    fn send(&self, request: SendRequest, cancel: CancellationToken) -> BoxFuture<'_, Result<SendOutcome, TerminalError>> {
        Box::pin(async move {
            if let exited @ SessionStatus::Exited(_) = self.status() {
                let viewport = String::new();
                return Ok(SendOutcome { viewport, reason: WaitReason::SessionExit, status: exited, truncated: false });
            }
            self.send_and_settle(request, cancel).await
        })
    }

    fn read(&self, offset: u64, count: u64) -> Page {
        self.printed.model().page(offset, count, self.config.max_read_bytes)
    }

    fn signal(&self, signal: Signal) -> Result<ProcessId, TerminalError> {
        Ok(self.process.signal_foreground(signal)?)
    }

    fn attach(&self) -> Box<dyn RawTerminal> {
        Box::new(RawSession::new(Arc::clone(&self.process), self.printed.attach()))
    }

    fn close(&self) -> BoxFuture<'_, Result<(), TerminalError>> {
        Box::pin(async { Ok(self.process.terminate().await?) })
    }
}

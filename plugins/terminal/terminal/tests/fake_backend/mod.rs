//! Sessions without processes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use dsh_runtime::{BoxFuture, CancellationToken};
use dsh_subprocess::{ExitOutcome, Foreground, InputWait, ProcessId, Signal};
use dsh_terminal::{
    BackendRequest, Page, RawTerminal, SendOutcome, SendRequest, SessionStatus, TerminalBackend, TerminalError, TerminalSession, WaitReason,
};
use tokio::sync::Notify;

/// Opens sessions that echo, once the test lets them.
#[derive(Default)]
pub struct FakeBackend {
    slow: AtomicBool,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    go_on: Notify,
    closed: AtomicUsize,
}

impl FakeBackend {
    /// Lets one thing that waits go on, now or when it comes.
    pub fn go_on(&self) {
        self.shared.go_on.notify_one();
    }

    /// Has the next openings wait.
    pub fn open_slowly(&self) {
        self.slow.store(true, Ordering::SeqCst);
    }

    /// Sessions that were closed.
    pub fn closed(&self) -> usize {
        self.shared.closed.load(Ordering::SeqCst)
    }
}

impl TerminalBackend for FakeBackend {
    fn open(&self, _request: BackendRequest) -> BoxFuture<'_, Result<Arc<dyn TerminalSession>, TerminalError>> {
        Box::pin(async {
            if self.slow.load(Ordering::SeqCst) {
                self.shared.go_on.notified().await;
            }
            Ok(Arc::new(FakeSession(Arc::clone(&self.shared))) as Arc<dyn TerminalSession>)
        })
    }
}

struct FakeSession(Arc<Shared>);

impl TerminalSession for FakeSession {
    fn process(&self) -> ProcessId {
        ProcessId(1)
    }

    fn status(&self) -> SessionStatus {
        SessionStatus::Running
    }

    fn startup(&self) -> String {
        "ready".to_owned()
    }

    fn send(&self, request: SendRequest, _cancel: CancellationToken) -> BoxFuture<'_, Result<SendOutcome, TerminalError>> {
        Box::pin(async move {
            self.0.go_on.notified().await;
            let status = SessionStatus::Running;
            Ok(SendOutcome { viewport: request.text, reason: WaitReason::StdinRead, status, truncated: false })
        })
    }

    fn read(&self, offset: u64, _count: u64) -> Page {
        Page { text: String::new(), offset, lines: 0, total: 0, truncated: false }
    }

    fn signal(&self, _signal: Signal) -> Result<ProcessId, TerminalError> {
        Ok(ProcessId(1))
    }

    fn attach(&self) -> Box<dyn RawTerminal> {
        Box::new(FakeRaw)
    }

    fn close(&self) -> BoxFuture<'_, Result<(), TerminalError>> {
        Box::pin(async {
            tokio::task::yield_now().await;
            self.0.closed.fetch_add(1, Ordering::SeqCst);
            Ok(())
        })
    }
}

struct FakeRaw;

impl RawTerminal for FakeRaw {
    fn write(&mut self, _bytes: Vec<u8>) -> BoxFuture<'_, Result<(), TerminalError>> {
        Box::pin(async { Ok(()) })
    }

    fn read(&mut self) -> BoxFuture<'_, Option<Vec<u8>>> {
        Box::pin(async { None })
    }

    fn leader(&self) -> ProcessId {
        ProcessId(1)
    }

    fn foreground(&self) -> Option<Foreground> {
        Some(Foreground { process_group: ProcessId(1), input: InputWait::Unknown })
    }

    fn signal(&self, _signal: Signal) -> Result<ProcessId, TerminalError> {
        Ok(ProcessId(1))
    }

    fn exited(&self) -> BoxFuture<'_, ExitOutcome> {
        Box::pin(async { ExitOutcome::Exited(0) })
    }
}

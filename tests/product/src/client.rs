//! A client of the SDK protocol, over the standard streams of a child process.

use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::ended::status_number;
use crate::place::holds_key;
use crate::streams::{keep, read_frames};
use crate::{Ended, Frame, restored};

/// Longest wait for anything: far more than any answer takes on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A running binary and what it has said so far. It is killed when it is dropped.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    frames: UnboundedReceiver<Result<Frame, String>>,
    /// The frames that were received, in order.
    pub seen: Vec<Frame>,
    errors: Arc<Mutex<Vec<u8>>>,
    readers: [JoinHandle<()>; 2],
    requests: u64,
}

impl Client {
    /// Starts a process.
    ///
    /// # Panics
    /// When it cannot be started.
    #[must_use]
    pub fn start(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().expect("the binary starts");
        let (sender, frames) = unbounded_channel();
        let errors = Arc::default();
        let (output, diagnostics) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
        let readers = [tokio::spawn(read_frames(output, sender)), tokio::spawn(keep(diagnostics, Arc::clone(&errors)))];
        Self { input: child.stdin.take(), child, frames, seen: Vec::new(), errors, readers, requests: 0 }
    }

    /// Sends bytes as they are.
    ///
    /// # Panics
    /// When the process does not take them.
    pub async fn send(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("input is open");
        let sent = timeout(PATIENCE, async {
            input.write_all(bytes).await?;
            input.flush().await
        });
        match sent.await {
            Ok(Ok(())) => {}
            failed => panic!("the process does not take its input ({failed:?}); {}", self.story()),
        }
    }

    /// Sends a request without waiting for its answer, and yields its id. Lone surrogates are given as [`readable`](crate::readable)
    /// writes them.
    pub async fn ask(&mut self, method: &str, params: &Value) -> u64 {
        self.requests += 1;
        let frame = json!({ "jsonrpc": "2.0", "id": self.requests, "method": method, "params": params });
        self.send((restored(&frame.to_string()) + "\n").as_bytes()).await;
        self.requests
    }

    /// Waits for the answer to a request: its result, or its error object.
    pub async fn answer(&mut self, id: u64) -> Result<Value, Value> {
        let frame =
            self.wait_for(&format!("the answer to request {id}"), |frame| frame.method().is_none() && frame.value["id"] == id).await;
        match frame.value.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(frame.value["result"].clone()),
        }
    }

    /// Sends a request and waits for its answer: its result, or its error object.
    pub async fn request(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        let id = self.ask(method, params).await;
        self.answer(id).await
    }

    /// Says where to work, with the default route.
    ///
    /// # Panics
    /// When the answer is an error.
    pub async fn initialize(&mut self, cwd: &Path) {
        let params = json!({ "cwd": cwd, "provider": "deepseek-official", "model": "deepseek-v4-flash" });
        self.request("initialize", &params).await.expect("`initialize` is answered with a result");
    }

    /// Sends a prompt, waits until the session is idle and yields the frames that came meanwhile.
    ///
    /// # Panics
    /// When the prompt is refused.
    pub async fn turn(&mut self, session: &str, text: &str) -> Vec<Frame> {
        let from = self.seen.len();
        self.prompt(session, text).await;
        self.wait_since(from, &format!("session {session} to be idle"), |frame| frame.is_idle(session)).await;
        self.seen[from..].to_vec()
    }

    /// Sends a prompt and yields the id of its message.
    ///
    /// # Panics
    /// When it is refused.
    pub async fn prompt(&mut self, session: &str, text: &str) -> String {
        let params = json!({ "sessionId": session, "contentBlocks": [{ "type": "text", "text": text }] });
        let result = self.request("session/prompt", &params).await.expect("the prompt is accepted");
        result["messageId"].as_str().expect("a prompt is answered with the id of its message").to_owned()
    }

    /// Waits for a frame among those that were and will be received.
    pub async fn wait_for(&mut self, what: &str, wanted: impl Fn(&Frame) -> bool) -> Frame {
        self.wait_since(0, what, wanted).await
    }

    /// Waits for a frame among those from the given number on.
    pub async fn wait_since(&mut self, from: usize, what: &str, wanted: impl Fn(&Frame) -> bool) -> Frame {
        let mut at = from;
        loop {
            match self.seen.get(at) {
                Some(frame) if wanted(frame) => return frame.clone(),
                Some(_) => at += 1,
                None => {
                    self.next(what).await;
                }
            }
        }
    }

    /// The next frame that was not received yet.
    ///
    /// # Panics
    /// When none comes, or something that is no frame.
    pub async fn next(&mut self, what: &str) -> Frame {
        match timeout(PATIENCE, self.frames.recv()).await {
            Ok(Some(Ok(frame))) => {
                self.seen.push(frame.clone());
                frame
            }
            Ok(Some(Err(problem))) => panic!("{problem}; {}", self.story()),
            Ok(None) => panic!("standard output ended before {what}; {}", self.story()),
            Err(_) => panic!("waited in vain for {what}; {}", self.story()),
        }
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        signal_child(&self.child, signal);
    }

    /// Closes standard input and waits for the end.
    pub async fn close(mut self) -> Ended {
        self.input = None;
        self.end().await
    }

    /// Waits for the end with standard input open.
    ///
    /// # Panics
    /// When the process does not end.
    pub async fn end(mut self) -> Ended {
        let received = self.seen.len();
        let Ok(status) = timeout(PATIENCE, self.child.wait()).await else { panic!("the process does not end; {}", self.story()) };
        for reader in &mut self.readers {
            // A child of the process that outlived it may hold the streams open; tests look for such children.
            let _ = timeout(Duration::from_secs(5), reader).await;
        }
        while let Ok(frame) = self.frames.try_recv() {
            self.seen.push(frame.unwrap_or_else(|problem| panic!("{problem}")));
        }
        let stderr = self.stderr();
        assert!(!holds_key(stderr.as_bytes()), "standard error holds the key: {stderr}");
        let told = self.seen.iter().find(|frame| holds_key(frame.text.as_bytes()));
        assert!(told.is_none(), "a frame holds the key: {told:?}");
        Ended {
            status: status_number(status.expect("a child can be waited for")),
            frames: self.seen,
            received,
            stdout: String::new(),
            stderr,
        }
    }

    fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.errors.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }

    /// What a failure has to tell: the last frames and the end of standard error.
    fn story(&self) -> String {
        let start = self.seen.len().saturating_sub(12);
        let last: Vec<String> =
            self.seen[start..].iter().map(|frame| format!("  {}", frame.text.chars().take(300).collect::<String>())).collect();
        let stderr = self.stderr();
        let lines: Vec<&str> = stderr.lines().collect();
        let tail = lines[lines.len().saturating_sub(40)..].join("\n");
        format!("{} frames were received, the last:\n{}\nstandard error ends:\n{tail}", self.seen.len(), last.join("\n"))
    }
}

/// Sends a signal to a process that this one started.
///
/// # Panics
/// When the process has ended.
pub fn signal_child(child: &Child, signal: Signal) {
    let id = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?)).expect("the process runs");
    kill_process(id, signal).expect("a signal can be sent to a child");
}

/// Sends a signal to a process by its number. One that is gone already needs none.
pub fn signal(pid: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, signal);
    }
}

//! A client of the SDK protocol for many sessions at once, also of a process that may be gone at any moment.

use std::collections::BTreeMap;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use dsh_product_tests::Frame;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;

/// An answer: a result or an error object. Absent when the process was gone before it came.
pub type Answer = Option<Result<Value, Value>>;

/// Longest wait for one thing that must happen.
pub const PATIENCE: Duration = Duration::from_secs(240);

/// A running binary. It is killed when it is dropped.
pub struct Peer {
    child: tokio::sync::Mutex<Child>,
    pid: u32,
    input: tokio::sync::Mutex<Option<ChildStdin>>,
    heard: Arc<Heard>,
    readers: Mutex<Option<(JoinHandle<()>, JoinHandle<String>)>>,
}

struct Heard {
    state: Mutex<State>,
    /// Counts whatever may end a wait; the last value is that of the end of output.
    changed: watch::Sender<u64>,
}

#[derive(Default)]
struct State {
    asked: u64,
    answers: BTreeMap<u64, oneshot::Sender<Result<Value, Value>>>,
    /// Sessions that work, with how often each came to rest.
    rests: BTreeMap<String, u64>,
    over: bool,
    /// What was said that is no frame.
    problem: Option<String>,
}

/// A process that has ended.
#[derive(Debug)]
pub struct Gone {
    /// How.
    pub status: ExitStatus,
    /// Standard error.
    pub stderr: String,
    /// What it said that is no frame.
    pub problem: Option<String>,
}

impl Peer {
    /// Starts a process; `sink` gets each frame as it comes.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn start(mut command: Command, sink: impl FnMut(Frame) + Send + 'static) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().expect("the binary starts");
        let heard = Arc::new(Heard { state: Mutex::default(), changed: watch::Sender::new(0) });
        let output = child.stdout.take().expect("piped");
        let mut errors = child.stderr.take().expect("piped");
        let reading = tokio::spawn(read(output, Arc::clone(&heard), sink));
        let keeping = tokio::spawn(async move {
            let mut said = Vec::new();
            // What can be read is kept; a stream that breaks has ended.
            let _ = errors.read_to_end(&mut said).await;
            String::from_utf8_lossy(&said).into_owned()
        });
        let (input, pid) = (child.stdin.take(), child.id().expect("it runs"));
        let readers = Mutex::new(Some((reading, keeping)));
        Self { child: tokio::sync::Mutex::new(child), pid, input: tokio::sync::Mutex::new(input), heard, readers }
    }

    /// Its number.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Sends a request and waits for its answer.
    ///
    /// # Panics
    /// When the process lives and does not answer.
    pub async fn request(&self, method: &str, params: &Value) -> Answer {
        self.request_within(method, params, PATIENCE).await
    }

    /// Sends a request whose answer may take so long, and waits for it.
    ///
    /// # Panics
    /// When the process lives and does not answer.
    pub async fn request_within(&self, method: &str, params: &Value, patience: Duration) -> Answer {
        let (sender, answer) = oneshot::channel();
        let id = {
            let mut state = self.heard.state();
            if state.over {
                return None;
            }
            state.asked += 1;
            let id = state.asked;
            state.answers.insert(id, sender);
            id
        };
        let line = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string() + "\n";
        if let Some(input) = &mut *self.input.lock().await
            && (input.write_all(line.as_bytes()).await.is_err() || input.flush().await.is_err())
        {
            return None;
        }
        let answer = tokio::time::timeout(patience, answer).await;
        answer.unwrap_or_else(|_| panic!("no answer to `{method}` {params} in {patience:?}")).ok()
    }

    /// Says where to work.
    pub async fn initialize(&self, cwd: &std::path::Path) -> Answer {
        self.request("initialize", &json!({ "cwd": cwd, "provider": "deepseek-official", "model": "deepseek-v4-flash" })).await
    }

    /// Sends a prompt and yields the id of its message.
    pub async fn prompt(&self, session: &str, text: &str) -> Option<Result<String, Value>> {
        let params = json!({ "sessionId": session, "contentBlocks": [{ "type": "text", "text": text }] });
        let answer = self.request("session/prompt", &params).await?;
        Some(answer.map(|result| result["messageId"].as_str().unwrap_or_default().to_owned()))
    }

    /// How often a session came to rest so far.
    #[must_use]
    pub fn rests(&self, session: &str) -> u64 {
        self.heard.state().rests.get(session).copied().unwrap_or(0)
    }

    /// Waits until a session came to rest more often than `before`. Yields whether it did before the process was gone.
    ///
    /// # Panics
    /// When the process lives and the session does not rest.
    pub async fn rested(&self, session: &str, before: u64) -> bool {
        let mut changed = self.heard.changed.subscribe();
        let rested = changed.wait_for(|_| self.rests(session) > before || self.heard.state().over);
        let in_time = tokio::time::timeout(PATIENCE, rested).await.is_ok();
        assert!(in_time, "session {session} does not come to rest in {PATIENCE:?}; it rested {before} times before");
        self.rests(session) > before
    }

    /// Waits until nothing more is heard.
    pub async fn over(&self) {
        // The sender lives as long as this does.
        let _ = self.heard.changed.subscribe().wait_for(|_| self.heard.state().over).await;
    }

    /// Kills the process as the system would.
    pub async fn kill(&self) {
        // One that is gone already is as good.
        let _ = self.child.lock().await.start_kill();
    }

    /// Closes its input.
    pub async fn close(&self) {
        *self.input.lock().await = None;
    }

    /// Waits for its end.
    ///
    /// # Panics
    /// When it does not end.
    pub async fn gone(&self) -> Gone {
        let waited = tokio::time::timeout(PATIENCE, async { self.child.lock().await.wait().await }).await;
        let status = waited.expect("the process ends").expect("a child can be waited for");
        let readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner).take();
        let stderr = match readers {
            Some((reading, keeping)) => {
                let read = tokio::time::timeout(PATIENCE, async { (reading.await, keeping.await) }).await;
                read.expect("its streams end with it").1.unwrap_or_default()
            }
            None => String::new(),
        };
        Gone { status, stderr, problem: self.heard.state().problem.clone() }
    }
}

impl Heard {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, frame: &Frame) {
        let mut state = self.state();
        match (frame.method(), frame.value["id"].as_u64()) {
            (None, Some(id)) => {
                let answer = match frame.value.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(frame.value["result"].clone()),
                };
                if let Some(asked) = state.answers.remove(&id) {
                    // Whoever gave the wait up does not care.
                    let _ = asked.send(answer);
                }
            }
            (Some("session.status"), _) if frame.kind() == "idle" => {
                *state.rests.entry(frame.session().unwrap_or_default().to_owned()).or_default() += 1;
                drop(state);
                self.changed.send_modify(|count| *count += 1);
            }
            _ => {}
        }
    }

    fn end(&self, problem: Option<String>) {
        {
            let mut state = self.state();
            state.over = true;
            state.answers.clear();
            state.problem = problem;
        }
        self.changed.send_modify(|count| *count += 1);
    }
}

/// Reads frames to the end. The last line of a process that was killed may be incomplete.
async fn read(output: ChildStdout, heard: Arc<Heard>, mut sink: impl FnMut(Frame)) {
    let mut output = BufReader::with_capacity(256 * 1024, output);
    let mut problem = None;
    loop {
        let mut line = Vec::new();
        match output.read_until(b'\n', &mut line).await {
            Ok(length) if length > 0 && line.ends_with(b"\n") => line.truncate(line.len() - 1),
            _ => break,
        }
        match Frame::read(line) {
            Ok(frame) => {
                heard.take(&frame);
                sink(frame);
            }
            Err(error) => problem = Some(error),
        }
    }
    heard.end(problem);
}

//! A model server on this machine: chat completions as server-sent events over HTTP/1.1, following a script.

mod connection;
mod frames;
mod http;
mod script;
mod step;

pub use script::Script;
pub use step::Step;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

/// A request as the server read it.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedRequest {
    /// Number of its connection, from 1.
    pub connection: usize,
    /// `POST`, …
    pub method: String,
    /// Path with query.
    pub path: String,
    /// Headers in order, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body as it came.
    pub text: String,
}

impl RecordedRequest {
    /// The body as JSON; null for one that is none.
    #[must_use]
    pub fn body(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or(Value::Null)
    }

    /// A header's value.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(held, _)| held == name).map(|(_, value)| value.as_str())
    }
}

/// What the connections of a server share.
struct State {
    script: Script,
    log: Mutex<Log>,
    answered: watch::Sender<usize>,
}

#[derive(Default)]
struct Log {
    connections: usize,
    requests: Vec<RecordedRequest>,
    /// How many model calls there were.
    calls: usize,
}

impl State {
    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A running server; it ends when it is dropped.
pub struct MockServer {
    address: SocketAddr,
    state: Arc<State>,
    accepting: JoinHandle<()>,
}

impl MockServer {
    /// Starts a server on a free port of 127.0.0.1.
    ///
    /// # Panics
    /// When no port can be had.
    pub async fn start(script: Script) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port of 127.0.0.1");
        let address = listener.local_addr().expect("a bound socket has an address");
        let state = Arc::new(State { script, log: Mutex::default(), answered: watch::Sender::new(0) });
        let accepting = tokio::spawn(accept(listener, Arc::clone(&state)));
        Self { address, state, accepting }
    }

    /// Where it is: `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All requests so far, in order of arrival.
    #[must_use]
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.state.log().requests.clone()
    }

    /// Forgets the requests so far, for tests that run for long.
    pub fn forget_requests(&self) {
        self.state.log().requests.clear();
    }

    /// How many connections were made so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.state.log().connections
    }

    /// Waits until so many requests have come in.
    ///
    /// # Panics
    /// Never: the sender lives as long as the server.
    pub async fn wait_for_requests(&self, count: usize) {
        self.state.answered.subscribe().wait_for(|seen| *seen >= count).await.expect("the sender lives as long as the server");
    }
}

impl Drop for MockServer {
    fn drop(&mut self) {
        // The set of connections is dropped with the task, and each connection with the set.
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, state: Arc<State>) {
    let mut connections = JoinSet::new();
    loop {
        let Ok((socket, _)) = listener.accept().await else {
            // The client is gone already, or descriptors are short for a moment.
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        let number = {
            let mut log = state.log();
            log.connections += 1;
            log.connections
        };
        while connections.try_join_next().is_some() {}
        connections.spawn(connection::serve(socket, number, Arc::clone(&state)));
    }
}

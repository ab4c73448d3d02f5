//! An HTTP/1.1 server that answers each request with what the test wrote down.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

/// A part of an answer.
pub enum Part {
    Send(Vec<u8>),
    /// Closes the connection in the middle of the answer.
    Cut,
    /// Sends nothing more until the client closes the connection, which is then told.
    Hang(oneshot::Sender<()>),
}

/// A request as it arrived.
#[derive(Clone, Debug)]
pub struct Received {
    /// Number of the connection, from 0.
    pub connection: usize,
    pub head: String,
    pub body: String,
}

impl Received {
    /// Value of a header; names are in lower case on the wire.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

#[derive(Default)]
struct State {
    answers: Mutex<VecDeque<Vec<Part>>>,
    received: Mutex<Vec<Received>>,
}

pub struct Server {
    pub url: String,
    state: Arc<State>,
    accepting: tokio::task::JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl Server {
    pub async fn start(answers: impl IntoIterator<Item = Vec<Part>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(State { answers: Mutex::new(answers.into_iter().collect()), ..State::default() });
        let shared = Arc::clone(&state);
        let accepting = tokio::spawn(async move {
            for connection in 0.. {
                let (stream, _) = listener.accept().await.unwrap();
                tokio::spawn(serve(stream, connection, Arc::clone(&shared)));
            }
        });
        Self { url, state, accepting }
    }

    pub fn received(&self) -> Vec<Received> {
        self.state.received.lock().unwrap().clone()
    }

    /// The only request.
    pub fn request(&self) -> Received {
        let mut received = self.received();
        assert_eq!(received.len(), 1);
        received.remove(0)
    }
}

async fn serve(mut stream: TcpStream, connection: usize, state: Arc<State>) {
    let mut buffer = Vec::new();
    while let Some((head, body)) = read_request(&mut stream, &mut buffer).await {
        state.received.lock().unwrap().push(Received { connection, head, body });
        let answer = state.answers.lock().unwrap().pop_front().expect("a request that the test did not foresee");
        for part in answer {
            match part {
                // A client that is gone is what some tests are about.
                Part::Send(bytes) => drop(stream.write_all(&bytes).await),
                Part::Cut => return,
                Part::Hang(closed) => {
                    while stream.read(&mut [0; 64]).await.is_ok_and(|read| read > 0) {}
                    let _ = closed.send(());
                    return;
                }
            }
        }
    }
}

async fn read_request(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<(String, String)> {
    let mut need = usize::MAX;
    loop {
        let head_end = buffer.windows(4).position(|window| window == b"\r\n\r\n").map(|at| at + 4);
        if let Some(end) = head_end {
            let head = String::from_utf8(buffer[..end].to_vec()).unwrap();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |length| length.parse().unwrap());
            need = end + length;
            if buffer.len() >= need {
                let body = String::from_utf8(buffer[end..need].to_vec()).unwrap();
                buffer.drain(..need);
                return Some((head, body));
            }
        }
        let mut bytes = [0; 4096];
        match stream.read(&mut bytes).await {
            Ok(read) if read > 0 => buffer.extend_from_slice(&bytes[..read.min(need)]),
            _ => return None,
        }
    }
}

/// The head of a streamed answer in chunked encoding.
pub fn head() -> Part {
    Part::Send(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nx-request-id: r-1\r\ntransfer-encoding: chunked\r\n\r\n".to_vec())
}

/// One piece of the body in chunked encoding.
pub fn piece(bytes: &[u8]) -> Part {
    Part::Send([format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat())
}

/// The end of the body.
pub fn last() -> Part {
    Part::Send(b"0\r\n\r\n".to_vec())
}

/// A whole streamed answer: one piece for each event, `[DONE]` behind them.
pub fn stream(events: &[&str]) -> Vec<Part> {
    let mut parts = vec![head()];
    parts.extend(events.iter().chain(&["[DONE]"]).map(|event| piece(format!("data: {event}\n\n").as_bytes())));
    parts.push(last());
    parts
}

/// A chunk of a completion.
pub fn event(delta: &str, finish_reason: Option<&str>) -> String {
    let reason = finish_reason.map_or("null".to_owned(), |reason| format!("{reason:?}"));
    format!(r#"{{"id":"x","choices":[{{"index":0,"delta":{delta},"finish_reason":{reason}}}]}}"#)
}

/// An answer that says `ok` and stops.
pub fn ok() -> Vec<Part> {
    stream(&[&event(r#"{"content":"ok"}"#, Some("stop"))])
}

/// An answer with a status.
pub fn status(status: &str, headers: &str, body: &str) -> Vec<Part> {
    vec![Part::Send(format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n{headers}\r\n{body}", body.len()).into_bytes())]
}

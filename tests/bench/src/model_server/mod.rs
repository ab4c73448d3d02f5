//! A model server that is cheap enough not to be what is measured: one thread for each connection, replies written in one call, no
//! JSON parsed. It notes when each request of a conversation was there.

mod http;
mod replies;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use http::{Request, read_request};
use replies::{Dialect, reply};

/// Longest wait for a request that is expected.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running server on a free port of 127.0.0.1. Its threads end with the process.
pub struct ModelServer {
    address: SocketAddr,
    noted: Arc<Noted>,
}

#[derive(Default)]
struct Noted {
    conversations: Mutex<BTreeMap<String, Conversation>>,
    arrived: Condvar,
    next_tag: AtomicU64,
    connections: AtomicU64,
}

/// What was seen of the requests whose prompt holds one tag.
#[derive(Clone, Debug, Default)]
pub struct Conversation {
    /// When each request had been read whole.
    pub arrivals: Vec<Instant>,
    /// How long the server took from there until the reply was written.
    pub served: Vec<Duration>,
    /// The connections that the requests came over.
    pub connections: BTreeSet<u64>,
}

impl ModelServer {
    /// Starts a server.
    pub fn start() -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let noted = Arc::new(Noted::default());
        let shared = Arc::clone(&noted);
        std::thread::spawn(move || {
            for (number, socket) in (1..).zip(listener.incoming()) {
                let Ok(socket) = socket else { continue };
                let shared = Arc::clone(&shared);
                shared.connections.fetch_add(1, Ordering::Relaxed);
                // A client that breaks off ends its connection; a request that is missing is found by who waits for it.
                std::thread::spawn(move || drop(serve(&socket, number, &shared)));
            }
        });
        Ok(Self { address, noted })
    }

    /// Where it is.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// How many connections were accepted so far.
    pub fn connections(&self) -> u64 {
        self.noted.connections.load(Ordering::Relaxed)
    }

    /// A tag that no conversation has had.
    pub fn tag(&self) -> String {
        format!("t{}", self.noted.next_tag.fetch_add(1, Ordering::Relaxed))
    }

    /// What is noted of a conversation.
    pub fn conversation(&self, tag: &str) -> Conversation {
        self.noted.lock().get(tag).cloned().unwrap_or_default()
    }

    /// When the first request of a conversation was there. Waits for it.
    pub fn first_request(&self, tag: &str) -> io::Result<Instant> {
        let none = |noted: &mut BTreeMap<String, Conversation>| !noted.contains_key(tag);
        let waited = self.noted.arrived.wait_timeout_while(self.noted.lock(), PATIENCE, none);
        let (conversations, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let first = conversations.get(tag).and_then(|conversation| conversation.arrivals.first().copied());
        first.ok_or_else(|| io::Error::new(io::ErrorKind::TimedOut, format!("no request of conversation {tag} came")))
    }
}

impl Noted {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Conversation>> {
        self.conversations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a prompt asks for: `benchmark TAG steps=N;` is answered with N tool calls and then a text.
pub fn prompt(tag: &str, steps: usize) -> String {
    format!("benchmark {tag} steps={steps};")
}

fn serve(socket: &TcpStream, connection: u64, noted: &Noted) -> io::Result<()> {
    socket.set_nodelay(true)?;
    let mut reader = BufReader::with_capacity(256 * 1024, socket);
    let mut writer = socket;
    let mut body = Vec::new();
    while let Some(request) = read_request(&mut reader, &mut body)? {
        let arrived = Instant::now();
        let Some((tag, steps)) = asked(&body).filter(|_| request.method == "POST") else {
            writer.write_all(other(&request).as_bytes())?;
            continue;
        };
        let before = {
            let mut conversations = noted.lock();
            let conversation = conversations.entry(tag.to_owned()).or_default();
            conversation.arrivals.push(arrived);
            conversation.connections.insert(connection);
            conversation.arrivals.len() - 1
        };
        noted.arrived.notify_all();
        let dialect = if request.path.contains("/messages") { Dialect::Messages } else { Dialect::Completions };
        writer.write_all(&reply(dialect, before, before < steps))?;
        let mut conversations = noted.lock();
        if let Some(conversation) = conversations.get_mut(tag) {
            conversation.served.push(arrived.elapsed());
        }
    }
    Ok(())
}

/// The tag and the number of steps of a request's prompt.
fn asked(body: &[u8]) -> Option<(&str, usize)> {
    const START: &[u8] = b"benchmark t";
    // The prompt is among the first messages, so a long history is not searched.
    let start = body.windows(START.len()).position(|window| window == START)? + START.len() - 1;
    let text = std::str::from_utf8(&body[start..body.len().min(start + 64)]).ok()?;
    let (tag, rest) = text.split_once(" steps=")?;
    Some((tag, rest.split_once(';')?.0.parse().ok()?))
}

/// The answer to what is no request of a conversation.
fn other(request: &Request) -> String {
    let (status, body) =
        if request.method == "POST" { (400, "{\"error\":{\"message\":\"no benchmark\"}}") } else { (200, "{\"data\":[]}") };
    format!("HTTP/1.1 {status} Mock\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

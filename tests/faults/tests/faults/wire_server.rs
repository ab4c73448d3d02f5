//! A model server that does not keep to HTTP, or to what it promised: it reads a request and sends bytes.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What the server does with every connection.
#[derive(Clone)]
pub enum Answer {
    /// Sends this and closes the connection.
    Bytes(Vec<u8>),
    /// Sends a head and then the same piece over and over until the client is gone.
    Endless { head: Vec<u8>, piece: Vec<u8> },
    /// Sends these pieces with a pause before each and closes the connection.
    Slow { pieces: Vec<Vec<u8>>, pause: Duration },
    /// Closes the connection before the request was read.
    Nothing,
}

/// The running server; it ends when it is dropped.
pub struct WireServer {
    pub url: String,
    accepting: JoinHandle<()>,
}

impl WireServer {
    pub async fn start(answer: Answer) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let accepting = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(serve(stream, answer.clone()));
            }
        });
        Self { url, accepting }
    }
}

impl Drop for WireServer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// The client may go away at any time.
async fn serve(mut stream: TcpStream, answer: Answer) {
    if matches!(answer, Answer::Nothing) {
        return;
    }
    if read_request(&mut stream).await.is_none() {
        return;
    }
    match answer {
        Answer::Bytes(bytes) => drop(stream.write_all(&bytes).await),
        Answer::Endless { head, piece } => {
            let mut sent = stream.write_all(&head).await;
            while sent.is_ok() {
                sent = stream.write_all(&piece).await;
            }
        }
        Answer::Slow { pieces, pause } => {
            for piece in pieces {
                tokio::time::sleep(pause).await;
                if stream.write_all(&piece).await.is_err() {
                    return;
                }
            }
        }
        Answer::Nothing => {}
    }
    let _ = stream.shutdown().await;
}

/// Reads a request whose body has a known length.
async fn read_request(stream: &mut TcpStream) -> Option<()> {
    let mut bytes = Vec::new();
    let mut need = usize::MAX;
    while bytes.len() < need {
        let mut buffer = [0; 8192];
        let count = stream.read(&mut buffer).await.ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&buffer[..count]);
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
            need = end + 4 + length.unwrap_or(0);
        }
    }
    Some(())
}

/// The head of a successful answer whose body lasts until the connection closes.
pub fn head(content_type: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\nconnection: close\r\n\r\n").into_bytes()
}

/// A successful answer of this type and body.
pub fn answer(content_type: &str, body: &[u8]) -> Answer {
    Answer::Bytes([head(content_type).as_slice(), body].concat())
}

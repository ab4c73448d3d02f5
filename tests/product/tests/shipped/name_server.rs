//! A name server that knows one name, which is that of this machine.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use tokio::net::UdpSocket;
use tokio::task::JoinHandle;

/// Length of the header of a message.
const HEADER: usize = 12;
/// The type of a question for an address of version 4, and its class.
const ADDRESS_QUESTION: [u8; 4] = [0, 1, 0, 1];

/// The server; it ends when it is dropped.
pub struct NameServer {
    address: Ipv4Addr,
    asked: Arc<Mutex<Vec<String>>>,
    answering: JoinHandle<()>,
}

impl NameServer {
    /// Starts it. Programs look for a name server at port 53 alone, so it has an address of this process, all of 127.0.0.0/8 being
    /// this machine's.
    pub async fn start(known: &'static str) -> Self {
        let [.., high, low] = std::process::id().to_be_bytes();
        let address = Ipv4Addr::new(127, 53, high, low);
        let socket = UdpSocket::bind((address, 53)).await.expect("a port below 1024 is for root, as who the tests run");
        let asked = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&asked);
        let answering = tokio::spawn(async move {
            let mut message = [0; 512];
            while let Ok((length, from)) = socket.recv_from(&mut message).await {
                answer(&socket, &message[..length], from, known, &noted).await;
            }
        });
        Self { address, asked, answering }
    }

    pub fn address(&self) -> Ipv4Addr {
        self.address
    }

    /// The names that were asked for.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl Drop for NameServer {
    fn drop(&mut self) {
        self.answering.abort();
    }
}

/// Answers the first question of a message: the known name has one address of version 4, every other is not there.
async fn answer(socket: &UdpSocket, message: &[u8], from: SocketAddr, known: &str, asked: &Mutex<Vec<String>>) {
    let (name, kind_at) = question(message);
    let question = &message[HEADER..kind_at + 4];
    let is_known = name == known;
    let answers = u8::from(is_known && message[kind_at..kind_at + 4] == ADDRESS_QUESTION);
    asked.lock().unwrap().push(name);
    // An answer, recursion available; error 3 where there is no such name.
    let flags = [0x81, if is_known { 0x80 } else { 0x83 }];
    let mut reply = [&message[..2], &flags, &[0, 1, 0, answers, 0, 0, 0, 0], question].concat();
    if answers == 1 {
        // The name of the question, an address, for a minute, of four bytes.
        reply.extend([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
    }
    socket.send_to(&reply, from).await.expect("an answer can be sent");
}

/// The name that a message asks for, and where the type of its question stands.
fn question(message: &[u8]) -> (String, usize) {
    let (mut labels, mut at) = (Vec::new(), HEADER);
    while message[at] != 0 {
        let length = usize::from(message[at]);
        labels.push(String::from_utf8_lossy(&message[at + 1..=at + length]).into_owned());
        at += 1 + length;
    }
    (labels.join("."), at + 1)
}

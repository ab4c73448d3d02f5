//! The client's end of the pipes.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines};

/// Longest time that anything may take.
const PATIENCE: Duration = Duration::from_secs(20);

pub struct Client {
    to_server: Option<DuplexStream>,
    frames: Lines<BufReader<DuplexStream>>,
}

impl Client {
    pub fn new(to_server: DuplexStream, from_server: DuplexStream) -> Self {
        Self { to_server: Some(to_server), frames: BufReader::new(from_server).lines() }
    }

    pub async fn bytes(&mut self, bytes: &[u8]) {
        let to_server = self.to_server.as_mut().expect("input has not ended");
        tokio::time::timeout(PATIENCE, to_server.write_all(bytes)).await.unwrap().unwrap();
    }

    pub async fn line(&mut self, line: &str) {
        self.bytes(format!("{line}\n").as_bytes()).await;
    }

    pub async fn send(&mut self, id: &str, method: &str, params: Value) {
        self.line(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()).await;
    }

    pub async fn prompt(&mut self, id: &str, session: &str, text: &str) {
        self.send(id, "session/prompt", json!({ "sessionId": session, "contentBlocks": [{ "type": "text", "text": text }] })).await;
    }

    pub async fn initialize(&mut self) {
        self.send("i", "initialize", json!({ "cwd": "/w", "provider": "scripted", "model": "m" })).await;
        self.result("i").await;
    }

    /// Ends the input.
    pub async fn end(&mut self) {
        if let Some(mut to_server) = self.to_server.take() {
            to_server.shutdown().await.unwrap();
        }
    }

    /// The next frame as it came; `None` when output ended.
    pub async fn raw(&mut self) -> Option<String> {
        tokio::time::timeout(PATIENCE, self.frames.next_line()).await.expect("a frame comes in time").unwrap()
    }

    pub async fn frame(&mut self) -> Value {
        serde_json::from_str(&self.raw().await.expect("output has not ended")).unwrap()
    }

    /// Frames up to and with the first that is wanted.
    pub async fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut frames = Vec::new();
        loop {
            frames.push(self.frame().await);
            if frames.last().is_some_and(&wanted) {
                return frames;
            }
        }
    }

    /// Frames until a session is idle.
    pub async fn until_idle(&mut self, session: &str) -> Vec<Value> {
        let idle = json!({ "sessionId": session, "status": "idle" });
        self.until(|frame| frame["params"] == idle).await
    }

    /// The result of a request; frames before it are dropped.
    pub async fn result(&mut self, id: &str) -> Value {
        let answer = self.answer(id).await;
        assert!(answer.get("result").is_some(), "{answer}");
        answer["result"].clone()
    }

    /// The error text of a request; frames before it are dropped.
    pub async fn error(&mut self, id: &str) -> String {
        let answer = self.answer(id).await;
        assert_eq!(answer["error"]["code"], -32603, "{answer}");
        answer["error"]["message"].as_str().unwrap().to_owned()
    }

    pub async fn answer(&mut self, id: &str) -> Value {
        self.until(|frame| frame["id"] == id).await.pop().unwrap()
    }

    /// Everything until output ends.
    pub async fn rest(&mut self) -> Vec<Value> {
        let mut frames = Vec::new();
        while let Some(line) = self.raw().await {
            frames.push(serde_json::from_str(&line).unwrap());
        }
        frames
    }
}

/// What a frame is, in short: the event's type, the status, or the id that it answers.
pub fn gist(frame: &Value) -> String {
    let params = &frame["params"];
    let parts = [&params["event"]["type"], &params["status"], &frame["id"]];
    parts.into_iter().find_map(Value::as_str).unwrap_or("?").to_owned()
}

pub fn gists(frames: &[Value]) -> Vec<String> {
    frames.iter().map(gist).collect()
}

/// The events of a session in order.
pub fn events<'a>(frames: &'a [Value], session: &str) -> Vec<&'a Value> {
    let of_session = frames.iter().filter(|frame| frame["method"] == "session.event" && frame["params"]["sessionId"] == session);
    of_session.map(|frame| &frame["params"]["event"]).collect()
}

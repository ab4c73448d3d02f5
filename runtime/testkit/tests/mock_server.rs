//! The model server, spoken to over a plain socket.

use std::time::Duration;

use dsh_runtime::CancellationToken;
use dsh_testkit::{MockServer, Script, Step};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// A client that reads answers to their end and keeps its connection.
struct Client(BufReader<TcpStream>);

struct Answer {
    status: u16,
    headers: Vec<String>,
    body: String,
}

impl Client {
    async fn connect(server: &MockServer) -> Self {
        let address = server.url().strip_prefix("http://").unwrap().to_owned();
        Self(BufReader::new(TcpStream::connect(address).await.unwrap()))
    }

    async fn post(&mut self, body: &Value) -> Answer {
        self.send(body).await;
        self.answer().await
    }

    async fn send(&mut self, body: &Value) {
        let body = body.to_string();
        let head =
            format!("POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer k\r\nContent-Length: {}\r\n\r\n", body.len());
        self.0.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
    }

    async fn line(&mut self) -> String {
        let mut line = String::new();
        self.0.read_line(&mut line).await.unwrap();
        line.trim_end().to_owned()
    }

    async fn head(&mut self) -> (u16, Vec<String>) {
        let status = self.line().await.split(' ').nth(1).unwrap().parse().unwrap();
        let mut headers = Vec::new();
        loop {
            match self.line().await {
                line if line.is_empty() => return (status, headers),
                line => headers.push(line),
            }
        }
    }

    async fn answer(&mut self) -> Answer {
        let (status, headers) = self.head().await;
        let length = headers.iter().find_map(|header| header.strip_prefix("content-length: ")).map(|length| length.parse().unwrap());
        let body = match length {
            Some(length) => self.exactly(length).await,
            None => self.chunks().await,
        };
        Answer { status, headers, body }
    }

    async fn exactly(&mut self, length: usize) -> String {
        let mut bytes = vec![0; length];
        self.0.read_exact(&mut bytes).await.unwrap();
        String::from_utf8(bytes).unwrap()
    }

    /// Chunks up to the last, or up to the end of a connection that is cut.
    async fn chunks(&mut self) -> String {
        let mut body = String::new();
        loop {
            let size = self.line().await;
            let size = if size.is_empty() { return body + "<cut>" } else { usize::from_str_radix(&size, 16).unwrap() };
            body += &self.exactly(size).await;
            self.line().await;
            if size == 0 {
                return body;
            }
        }
    }
}

/// The choices of a stream's events: delta and finish reason.
fn choices(body: &str) -> Vec<(Value, Value)> {
    let events = body.split("\n\n").filter_map(|event| event.strip_prefix("data: ")).filter(|data| *data != "[DONE]");
    let events = events.map(|data| serde_json::from_str::<Value>(data).unwrap());
    events.map(|event| (event["choices"][0]["delta"].clone(), event["choices"][0]["finish_reason"].clone())).collect()
}

#[tokio::test]
async fn one_connection_serves_many_requests() {
    let server = MockServer::start(Script::new([Step::text("abcd").pieces(2), Step::text("end").pieces(1)])).await;
    let mut client = Client::connect(&server).await;
    let first = client.post(&json!({ "model": "m", "messages": [] })).await;
    assert_eq!(first.status, 200);
    assert!(first.headers.contains(&"content-type: text/event-stream".to_owned()));
    assert!(first.body.ends_with("data: [DONE]\n\n"));
    let text = |piece: &str| (json!({ "content": piece }), Value::Null);
    assert_eq!(
        choices(&first.body),
        [(json!({ "role": "assistant", "content": "" }), Value::Null), text("ab"), text("cd"), (json!({}), json!("stop")),]
    );
    for _ in 0..2 {
        assert!(client.post(&json!({})).await.body.contains("end"), "the last step answers all further calls");
    }
    server.wait_for_requests(3).await;
    assert_eq!(server.connections(), 1);
    let requests = server.requests();
    assert_eq!(requests.iter().map(|request| request.connection).collect::<Vec<_>>(), [1, 1, 1]);
    assert_eq!((requests[0].method.as_str(), requests[0].path.as_str()), ("POST", "/v1/chat/completions"));
    assert_eq!(requests[0].header("authorization"), Some("Bearer k"));
    assert_eq!(requests[0].body()["model"], "m");
}

#[tokio::test]
async fn a_reply_holds_reasoning_text_tools_usage_and_finish() {
    let step = Step::tool("bash", &json!({ "command": "ls" })).and_tool("read", "{oops").and_text("look").and_reasoning("hm").pieces(1);
    let server = MockServer::start(Script::new([step.usage(json!({ "prompt_tokens": 7 })).finish("length")])).await;
    let body = Client::connect(&server).await.post(&json!({})).await.body;
    let call = |index: u64, id: &str, name: &str| json!({ "tool_calls": [{ "index": index, "id": id, "type": "function", "function": { "name": name, "arguments": "" } }] });
    let arguments = |index: u64, text: &str| json!({ "tool_calls": [{ "index": index, "function": { "arguments": text } }] });
    let deltas: Vec<Value> = choices(&body).into_iter().map(|(delta, _)| delta).collect();
    assert_eq!(
        deltas,
        [
            json!({ "role": "assistant", "content": "" }),
            json!({ "reasoning_content": "hm" }),
            json!({ "content": "look" }),
            call(0, "call_0_0", "bash"),
            arguments(0, r#"{"command":"ls"}"#),
            call(1, "call_0_1", "read"),
            arguments(1, "{oops"),
            json!({}),
        ]
    );
    assert!(body.contains(r#""finish_reason":"length"}],"usage":{"prompt_tokens":7}"#), "{body}");
}

#[tokio::test]
async fn an_answer_can_be_an_error_or_raw_lines() {
    let refused = Step::status(429).header("retry-after", "3").body("{}");
    let server = MockServer::start(Script::new([refused, Step::raw([": hi\n\n", "data: x\n\n"]), Step::status(500)]).repeating()).await;
    let mut client = Client::connect(&server).await;
    let first = client.post(&json!({})).await;
    assert_eq!((first.status, first.body.as_str()), (429, "{}"));
    assert!(first.headers.contains(&"retry-after: 3".to_owned()));
    assert_eq!(client.post(&json!({})).await.body, ": hi\n\ndata: x\n\n");
    assert_eq!(client.post(&json!({})).await.body, r#"{"error":{"message":"mock error"}}"#);
    assert_eq!(client.post(&json!({})).await.status, 429, "the script starts again");
}

#[tokio::test]
async fn a_cut_reply_ends_before_its_finish_reason() {
    let server = MockServer::start(Script::new([Step::text("half").cut(), Step::text("whole")])).await;
    let cut = Client::connect(&server).await.post(&json!({})).await.body;
    assert!(cut.ends_with("<cut>") && !cut.contains("[DONE]") && cut.contains("\"content\""), "{cut}");
    assert!(Client::connect(&server).await.post(&json!({})).await.body.contains("[DONE]"));
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn an_answer_waits_for_the_test() {
    let gate = CancellationToken::new();
    let server = MockServer::start(Script::new([Step::text("x").hold(&gate).delay(Duration::from_millis(1))])).await;
    let mut client = Client::connect(&server).await;
    client.send(&json!({})).await;
    server.wait_for_requests(1).await;
    gate.cancel();
    assert_eq!(client.answer().await.status, 200);
}

#[tokio::test]
async fn a_stalled_reply_lasts_until_the_client_is_gone() {
    let server = MockServer::start(Script::new([Step::text("begun").stall(), Step::text("next")])).await;
    let mut client = Client::connect(&server).await;
    client.send(&json!({})).await;
    client.head().await;
    client.line().await;
    assert!(client.line().await.contains("assistant"));
    drop(client);
    assert!(Client::connect(&server).await.post(&json!({})).await.body.contains("[DONE]"), "the server goes on");
}

#[tokio::test]
async fn each_conversation_has_its_own_place_in_a_script_by_history() {
    let server = MockServer::start(Script::new([Step::text("one"), Step::text("two")]).by_history()).await;
    let mut client = Client::connect(&server).await;
    let user = json!({ "role": "user", "content": "q" });
    let (reply, result) = (json!({ "role": "assistant" }), json!({ "role": "tool" }));
    let second = client.post(&json!({ "messages": [user, reply, result] })).await.body;
    let first = client.post(&json!({ "messages": [user, reply, user] })).await.body;
    let joined =
        |body: &str| choices(body).iter().filter_map(|(delta, _)| delta["content"].as_str().map(str::to_owned)).collect::<String>();
    assert_eq!((joined(&second), joined(&first)), ("two".to_owned(), "one".to_owned()));
}

#[tokio::test]
async fn chunked_requests_and_other_methods_are_answered() {
    let server = MockServer::start(Script::new([Step::text("x")])).await;
    let mut client = Client::connect(&server).await;
    client.0.write_all(b"GET /models HTTP/1.1\r\n\r\n").await.unwrap();
    assert!(client.answer().await.body.contains("mock-model"));
    client.0.write_all(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{\"a\r\n5\r\n\": 1}\r\n0\r\n\r\n").await.unwrap();
    assert_eq!(client.answer().await.status, 200);
    assert_eq!(server.requests()[1].body(), json!({ "a": 1 }));
}

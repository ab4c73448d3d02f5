//! Frames that are cut, malformed or none at all. Each input is followed by a request whose answer shows that the binary goes on.

use dsh_product_tests::{Frame, Place};
use dsh_testkit::{Script, Step};
use serde_json::{Value, json};

use crate::{Serving, ends};

/// Input and the answers that it gets, in any order.
struct Case {
    name: &'static str,
    input: Vec<u8>,
    answers: Vec<Value>,
}

fn case(name: &'static str, input: impl AsRef<[u8]>, answers: impl IntoIterator<Item = Value>) -> Case {
    Case { name, input: input.as_ref().to_vec(), answers: answers.into_iter().collect() }
}

fn unknown(id: impl Into<Value>, method: &str) -> Value {
    error(id, &format!("unknown DeepSeek Harness SDK runtime method: {method}"))
}

fn error(id: impl Into<Value>, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "error": { "code": -32603, "message": message } })
}

fn cases() -> Vec<Case> {
    let max_tokens = ["0", "-1", "1.5", "\"5\""].map(|value| {
        let params = format!(r#"{{"cwd":"/","provider":"deepseek-official","model":"m","maxTokens":{value}}}"#);
        format!(r#"{{"id":"max {value}","method":"initialize","params":{params}}}"#).replace("max \"5\"", "max 5") + "\n"
    });
    let positive = "initialize maxTokens must be a positive safe integer";
    vec![
        case("CRLF, blank lines and white space around", " \r\n\n\t{\"id\":\"a\",\"method\":\"né\"} \r\n\r\n", [unknown("a", "né")]),
        case("no `jsonrpc` member, or a wrong one", "{\"jsonrpc\":1,\"id\":7,\"method\":\"x\"}\n", [unknown(7, "x")]),
        case("a raw line separator of Unicode", "{\"id\":8,\"method\":\"a\u{2028}b\"}\n", [unknown(8, "a\u{2028}b")]),
        case("a syntax error before a good request", "{\"id\":1,\"method\"\nnot json\n{\"id\":2,\"method\":\"x\"}\n", [unknown(2, "x")]),
        case("bytes that are not UTF-8", b"{\"id\":1,\"method\":\"\xff\"}\n", [unknown(1, "\u{fffd}")]),
        case("an array of requests", "[{\"id\":1,\"method\":\"x\"},{\"id\":2,\"method\":\"x\"}]\n", []),
        case("scalars", "null\ntrue\n1\n\"text\"\n", []),
        case("objects without id and method", "{}\n{\"id\":1}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n", []),
        case(
            "ids that are any number or string",
            "{\"id\":1.5,\"method\":\"x\"}\n{\"id\":\"\",\"method\":\"x\"}\n",
            [unknown(1.5, "x"), unknown("", "x")],
        ),
        case("ids zero and below", "{\"id\":0,\"method\":\"x\"}\n{\"id\":-1,\"method\":\"x\"}\n", [unknown(0, "x"), unknown(-1, "x")]),
        case("ids that make a notification", "{\"id\":null,\"method\":\"x\"}\n{\"id\":true,\"method\":\"x\"}\n{\"method\":\"x\"}\n", []),
        case("a method that is no string", "{\"id\":1,\"method\":2}\n", []),
        case("`shutdown` as a notification", "{\"method\":\"shutdown\"}\n", []),
        case(
            "params of any kind",
            "{\"id\":1,\"method\":\"x\",\"params\":[1]}\n{\"id\":2,\"method\":\"x\",\"params\":3}\n",
            [unknown(1, "x"), unknown(2, "x")],
        ),
        case(
            "`maxTokens` that is no positive whole number",
            max_tokens.concat(),
            ["max 0", "max -1", "max 1.5", "max 5"].map(|id| error(id, positive)),
        ),
    ]
}

#[tokio::test]
async fn malformed_input_gets_its_answer_or_silence() {
    let mut serving = Serving::uninitialized(Place::new(), Script::new([Step::text("unused")])).await;
    for Case { name, input, answers } in cases() {
        let from = serving.client.seen.len();
        serving.client.send(&input).await;
        serving.client.send(b"{\"id\":\"after\",\"method\":\"after\"}\n").await;
        for expected in answers.iter().chain([&unknown("after", "after")]) {
            serving.client.wait_since(from, &format!("an answer in the case: {name}: {expected}"), |frame| frame.value == *expected).await;
        }
        assert_eq!(serving.client.seen.len() - from, answers.len() + 1, "{name}: {:?}", &serving.client.seen[from..]);
    }
    let ended = serving.client.close().await;
    assert_eq!((ended.status, ended.late().len()), (0, 0), "no answer came late: {:?}", ended.late());
}

#[tokio::test]
async fn a_frame_may_be_cut_anywhere() {
    let mut serving = Serving::uninitialized(Place::new(), Script::new([Step::text("unused")])).await;
    let frame = "{\"id\":1,\"method\":\"€\"}\r\n".as_bytes();
    for byte in frame {
        serving.client.send(&[*byte]).await;
    }
    assert_eq!(serving.client.next("the answer").await.value, unknown(1, "€"));
    serving.client.close().await;
}

#[tokio::test]
async fn an_unfinished_last_line_is_not_executed() {
    let mut serving = Serving::start([Step::text("unused")]).await;
    let prompt = json!({ "id": 9, "method": "session/prompt", "params": { "sessionId": "s", "contentBlocks": [] } });
    serving.client.send(prompt.to_string().as_bytes()).await;
    let ended = serving.client.close().await;
    assert_eq!((ended.status, ended.late().len()), (0, 0));
    assert!(!serving.place.sessions().exists(), "no session was made");
}

#[tokio::test]
async fn a_prompt_of_five_megabytes_is_accepted() {
    let mut serving = Serving::start([Step::text("long")]).await;
    let text = "0123456789abcdef".repeat(5 * 1024 * 1024 / 16);
    let events = serving.turn("long", &text).await;
    assert_eq!(ends(&events), [&json!({ "kind": "completed" })]);
    assert_eq!(serving.bodies()[0]["messages"][1]["content"], json!(text));
    let ended = serving.client.close().await;
    assert!(ended.frames.iter().any(|frame: &Frame| frame.text.len() > text.len()), "the prompt is told whole");
}

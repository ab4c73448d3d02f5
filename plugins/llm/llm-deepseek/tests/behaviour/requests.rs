//! What is sent.

use std::sync::Arc;

use dsh_json::{JsString, Json};
use dsh_llm::{LlmRequest, Purpose, RequestMessages};
use dsh_message::{CallId, ContentBlock, Message};
use dsh_session::catalogue::{AssistantMessage, ToolResultRecord, UserMessage};
use dsh_session::{CallConfig, Session, SurfaceOp, ToolSchema};

use crate::server::{Server, ok};
use crate::setup::{KEY, assistant, auxiliary, config, failure, hello, mounted, setup, user};

fn call(id: &str, arguments: &str) -> ContentBlock {
    ContentBlock::ToolCall { id: id.into(), name: "ls".into(), arguments: arguments.into() }
}

fn result(id: &str, text: &str) -> ContentBlock {
    let content = if text.is_empty() { Vec::new() } else { vec![ContentBlock::text(text)] };
    ContentBlock::ToolResult { tool_call_id: id.into(), content, is_error: Some(false) }
}

async fn body_of(config: CallConfig, request: LlmRequest) -> String {
    let server = Server::start([ok()]).await;
    setup(&server).await.reply_to(config, request).await;
    server.request().body
}

#[tokio::test]
async fn a_whole_request() {
    let half: JsString = serde_json::from_str(r#""\ud83d""#).unwrap();
    let messages = vec![
        user(vec![ContentBlock::text("list "), ContentBlock::Text(half)]),
        assistant(vec![
            ContentBlock::Reasoning("I ".into()),
            ContentBlock::text("ok"),
            ContentBlock::Reasoning("think".into()),
            call("a", "{\"x\":1"),
            call("b", ""),
        ]),
        user(vec![result("a", "file"), result("b", ""), ContentBlock::text("and more")]),
        Message::tool_result("m".into(), CallId::from("c"), vec![ContentBlock::text("x"), ContentBlock::text("y")], true),
        assistant(vec![ContentBlock::Reasoning(JsString::default())]),
        user(Vec::new()),
    ];
    let parameters = serde_json::json!({"type": "object", "properties": {"b": {"type": "string"}, "a": {}}});
    let tools = Arc::from([ToolSchema { name: "ls".to_owned(), description: "Lists \"files\".".to_owned(), parameters }]);
    let request = LlmRequest { system: Some("Be brief.".into()), tools, ..auxiliary(messages) };
    let config = CallConfig {
        temperature: Some(1.0),
        stop: Some(vec!["END".to_owned()]),
        reasoning_effort: Some("max".to_owned()),
        ..CallConfig::default()
    };
    let expected = [
        r#"{"messages":["#,
        r#"{"role":"system","content":"Be brief."},"#,
        r#"{"role":"user","content":"list \ud83d"},"#,
        r#"{"role":"assistant","content":"ok","reasoning_content":"I think","tool_calls":["#,
        r#"{"id":"a","type":"function","function":{"name":"ls","arguments":"{\"x\":1"}},"#,
        r#"{"id":"b","type":"function","function":{"name":"ls","arguments":""}}]},"#,
        r#"{"role":"user","content":"and more"},"#,
        r#"{"role":"tool","tool_call_id":"a","content":"file"},"#,
        r#"{"role":"tool","tool_call_id":"b","content":"(no output)"},"#,
        r#"{"role":"tool","tool_call_id":"c","content":"xy"},"#,
        r#"{"role":"assistant","content":"","reasoning_content":""},"#,
        r#"{"role":"user","content":""}"#,
        r#"],"model":"deepseek-v4-flash","stream":true,"stream_options":{"include_usage":true},"#,
        r#""tools":[{"type":"function","function":{"name":"ls","description":"Lists \"files\".","#,
        r#""parameters":{"type":"object","properties":{"b":{"type":"string"},"a":{}}}}}],"#,
        r#""temperature":1,"max_tokens":256000,"stop":["END"],"thinking":{"type":"enabled"},"reasoning_effort":"max"}"#,
    ];
    assert_eq!(body_of(config, request).await, expected.concat());
}

#[tokio::test]
async fn the_smallest_request() {
    let title = LlmRequest { purpose: Some(Purpose::SessionTitle), system: Some(JsString::default()), ..auxiliary(Vec::new()) };
    let config = CallConfig { max_tokens: Some(64), ..CallConfig::default() };
    assert_eq!(
        body_of(config, title).await,
        r#"{"messages":[],"model":"deepseek-v4-flash","stream":true,"stream_options":{"include_usage":true},"max_tokens":64,"thinking":{"type":"disabled"}}"#
    );
}

#[tokio::test]
async fn headers() {
    let server = Server::start([ok(), ok(), ok()]).await;
    let setup = setup(&server).await;
    setup.reply(hello()).await;
    setup.reply(LlmRequest { session: Some("s é 1".into()), purpose: Some(Purpose::Compaction), ..hello() }).await;
    setup.reply(LlmRequest { session: Some("line\nbreak".into()), ..hello() }).await;
    let received = server.received();
    let of = |name: &str| received.iter().map(|request| request.header(name)).collect::<Vec<_>>();
    assert!(received[0].head.starts_with("POST /chat/completions HTTP/1.1\r\n"));
    assert_eq!(of("authorization")[0], Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(of("content-type")[0], Some("application/json"));
    assert_eq!(of("accept")[0], Some("text/event-stream"));
    assert_eq!(of("user-agent")[0], Some(concat!("dsh-build/", env!("CARGO_PKG_VERSION"))));
    assert_eq!(of("x-deepseek-harness-session-id"), [None, Some("s é 1"), None]);
    assert_eq!(of("x-deepseek-harness-compact"), [None, Some("1"), None]);
    assert_eq!(of("x-deepseek-harness-user-id"), [Some("00000000-0000-4000-8000-000000000001"); 3]);
    let names = received[1].head.lines().skip(1).filter_map(|line| line.split_once(": ")).map(|(name, _)| name);
    let known = [
        "authorization",
        "content-type",
        "accept",
        "user-agent",
        "x-deepseek-harness-user-id",
        "x-deepseek-harness-session-id",
        "x-deepseek-harness-compact",
        "host",
        "content-length",
    ];
    assert_eq!(names.filter(|name| !known.contains(name)).collect::<Vec<_>>(), [""; 0]);
}

#[tokio::test]
async fn the_address_comes_from_the_row_then_the_environment() {
    let server = Server::start([ok(), ok()]).await;
    let unset = dsh_llm_deepseek::Config { base_url: None, ..config("") };
    let variable = format!(" {}/v1/ ", server.url);
    let by_environment = mounted(unset, &[("TEST_KEY", KEY), ("DEEPSEEK_BASE_URL", &variable)]).await.unwrap();
    by_environment.reply(hello()).await;
    let by_row =
        mounted(config(&format!("{}/v2", server.url)), &[("TEST_KEY", KEY), ("DEEPSEEK_BASE_URL", "http://models.invalid")]).await.unwrap();
    by_row.reply(hello()).await;
    let paths: Vec<_> = server.received().iter().map(|request| request.head.split(' ').nth(1).map(str::to_owned)).collect();
    assert_eq!(paths, [Some("/v1/chat/completions".to_owned()), Some("/v2/chat/completions".to_owned())]);
}

#[tokio::test]
async fn content_of_other_types_is_refused() {
    let server = Server::start([]).await;
    let setup = setup(&server).await;
    let image = || ContentBlock::Other(Json::Object(vec![("type".to_owned(), Json::Text("image".into()))]));
    let nested = ContentBlock::ToolResult { tool_call_id: "c".into(), content: vec![image()], is_error: None };
    for message in
        [user(vec![image()]), assistant(vec![image()]), user(vec![nested]), assistant(vec![result("a", "x")]), user(vec![call("a", "")])]
    {
        let failure = failure(&setup.reply(auxiliary(vec![message])).await);
        assert_eq!(failure.code, "UNSUPPORTED_CONTENT");
    }
    assert!(server.received().is_empty());
}

fn logged(session: &Session) -> LlmRequest {
    LlmRequest { messages: RequestMessages::Logged(session.history()), ..auxiliary(Vec::new()) }
}

#[tokio::test]
async fn the_history_of_a_session_grows_and_may_be_rewritten() {
    let server = Server::start([ok(), ok(), ok(), ok(), ok()]).await;
    let setup = setup(&server).await;
    let (one, two) = (setup.session("one"), setup.session("two"));
    let say = |session: &Arc<Session>, message: Message, op| {
        session.append_message(&UserMessage(Arc::new(message)), op, Some(vec![0]).filter(|_| op != SurfaceOp::Append)).unwrap();
    };
    say(&one, user(vec![ContentBlock::text("first")]), SurfaceOp::Append);
    setup.reply(logged(&one)).await;
    let reply = Arc::new(assistant(vec![call("c", "{}")]));
    one.append_message(&AssistantMessage { turn: 1, step: 1, message: reply, interrupted: false, usage: None }, SurfaceOp::Append, None)
        .unwrap();
    let message = Arc::new(Message::tool_result("m".into(), "c".into(), vec![ContentBlock::text("done")], false));
    let result = ToolResultRecord { turn: 1, step: 1, message, error: None, meta: None };
    one.append_message(&result, SurfaceOp::Append, Some(vec![1])).unwrap();
    setup.reply(logged(&one)).await;
    say(&two, user(vec![ContentBlock::text("other")]), SurfaceOp::Append);
    setup.reply(logged(&two)).await;
    say(&one, user(vec![ContentBlock::text("short")]), SurfaceOp::Replace { start: 0, end: 0 });
    setup.reply(logged(&one)).await;
    // What was kept of a session that ended is written anew.
    setup.sessions.plugin().detach(&one);
    setup.reply(logged(&one)).await;
    let first = |text: &str| format!(r#"{{"role":"user","content":"{text}"}}"#);
    let rest = r#",{"role":"assistant","content":"","tool_calls":[{"id":"c","type":"function","function":{"name":"ls","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"done"}"#;
    let expected = [
        first("first"),
        format!("{}{rest}", first("first")),
        first("other"),
        format!("{}{rest}", first("short")),
        format!("{}{rest}", first("short")),
    ];
    let bodies: Vec<_> = server.received().iter().map(|request| request.body.clone()).collect();
    for (body, messages) in bodies.iter().zip(expected) {
        assert!(body.starts_with(&format!(r#"{{"messages":[{messages}],"model""#)), "{body}");
    }
}

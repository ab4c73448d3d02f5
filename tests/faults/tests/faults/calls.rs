//! Tool calls of a model that are broken, unknown, doubled or very many.

use dsh_testkit::Step;
use serde_json::{Value, json};

use crate::scene::{Scene, assert_completed, assert_told, count, failure, results, shell};

/// A reply of tool calls with ids, names and arguments as they are given, each a JSON text.
fn raw(calls: &[(&str, &str, &str)]) -> Step {
    let calls: Vec<String> = calls
        .iter()
        .enumerate()
        .map(|(index, (id, name, arguments))| {
            format!(r#"{{"index":{index},"id":{id},"type":"function","function":{{"name":{name},"arguments":{arguments}}}}}"#)
        })
        .collect();
    let delta = format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"tool_calls\":[{}]}}}}]}}\n\n", calls.join(","));
    let finish = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n";
    Step::raw([delta.as_str(), finish])
}

/// Runs one turn in which the model makes these calls and then ends; yields its events.
async fn calling(step: Step) -> (Scene, Vec<Value>) {
    let mut scene = Scene::start([step, Step::text("done")]).await;
    let events = scene.turn("s", "go").await;
    assert_completed(&events);
    assert_eq!(count(&events, "tool/call"), count(&events, "tool/result"));
    (scene, events)
}

#[tokio::test]
async fn broken_json_is_told_with_its_place() {
    let step = Step::tool("bash", &json!({ "command": "echo fine" })).and_tool("bash", "{oops").and_tool("bash", "{\"command\": \"ls");
    let (scene, events) = calling(step).await;
    let told = [
        "fine",
        "Error: invalid arguments: not JSON: key must be a string at line 1 column 2, near `{oops`",
        "Error: invalid arguments: not JSON: EOF while parsing a string at line 1 column 15, near `{\"command\": \"ls`",
    ];
    assert_eq!(results(&events), told);
    let sent = scene.server.requests()[1].body();
    assert_eq!(sent["messages"][2]["tool_calls"][1]["function"]["arguments"], "{oops", "what came is sent back as it came");
    scene.close().await;
}

#[tokio::test]
async fn arguments_of_the_wrong_type_are_told_by_name() {
    let bash = |arguments: &str| ("bash".to_owned(), arguments.to_owned());
    let editor = |arguments: &str| ("str_replace_editor".to_owned(), arguments.to_owned());
    let calls = [
        (bash(r#"{"command": 5}"#), "command must be of type string, not number"),
        (bash("{}"), "missing required property \"command\""),
        (bash("[]"), "arguments must be of type object, not array"),
        (bash("null"), "arguments must be of type object, not null"),
        (bash(r#"{"command": "  "}"#), "`command` is blank"),
        (bash(r#"{"command": "a\u0000b"}"#), "NUL"),
        (editor(r#"{"command": "fly", "path": "/x"}"#), "command must be one of"),
        (editor(r#"{"command": "view", "path": 1, "view_range": "all"}"#), "path must be of type string, not number; view_range"),
        (editor(r#"{"command": "insert", "path": "/x", "insert_line": 1.5}"#), "insert_line must be of type integer"),
        (editor(r#"{"command": "view", "path": "relative"}"#), "not an absolute path"),
    ];
    let step = calls.iter().fold(Step::text(""), |step, ((name, arguments), _)| step.and_tool(name, arguments));
    let (scene, events) = calling(step).await;
    for (result, ((_, arguments), told)) in results(&events).into_iter().zip(&calls) {
        assert!(result.starts_with("Error: ") && result.contains(told), "{arguments}: {result}");
    }
    scene.close().await;
}

#[tokio::test]
async fn unknown_and_nameless_tools_are_told_and_the_turn_goes_on() {
    let step = raw(&[
        ("\"a\"", "\"no_such_tool\"", "\"{}\""),
        ("\"b\"", "\"\"", "\"{}\""),
        ("\"\"", "\"bash\"", r#""{\"command\":\"echo ran\"}""#),
    ]);
    let (scene, events) = calling(step).await;
    assert_eq!(results(&events), ["Error: unknown tool \"no_such_tool\"", "Error: unknown tool \"\"", "ran"]);
    scene.close().await;
}

#[tokio::test]
async fn doubled_ids_of_calls_run_each_once_and_are_answered_in_order() {
    let echo = |word: &str| format!(r#""{{\"command\":\"echo {word}; echo {word} >> ran\"}}""#);
    let (one, two) = (echo("one"), echo("two"));
    let step = raw(&[("\"same\"", "\"bash\"", &one), ("\"same\"", "\"bash\"", &two)]);
    let (scene, events) = calling(step).await;
    assert_eq!(results(&events), ["one", "two"]);
    assert_eq!(std::fs::read_to_string(scene.place.workspace().join("ran")).unwrap(), "one\ntwo\n");
    let said = scene.server.requests()[1].body();
    let answers: Vec<&Value> = said["messages"].as_array().unwrap().iter().filter(|message| message["role"] == "tool").collect();
    assert_eq!(answers.iter().map(|answer| &answer["tool_call_id"]).collect::<Vec<_>>(), ["same", "same"]);
    let (place, _) = scene.close().await;
    assert_eq!(count(&place.log("s").events, "tool/result"), 2);
}

#[tokio::test]
async fn lone_surrogates_are_told_and_logged_as_they_came() {
    let step = raw(&[
        ("\"c\\ud800\"", "\"ba\\udc00sh\"", "\"{}\""),
        ("\"d\"", "\"bash\"", r#""{\"command\":\"echo \ud83d\"}""#),
        ("\"e\"", "\"bash\"", r#""{\"command\":\"echo \\ud83d\"}""#),
    ]);
    let (scene, events) = calling(step).await;
    let texts = results(&events);
    assert_eq!(texts[0], "Error: unknown tool \"ba\u{fffd}sh\"");
    assert_eq!(texts[1], "Error: invalid arguments: they hold \\ud83d at character 18, which is half of a character");
    assert_told(texts[2], &["an escape for half of a character at line 1 column", "\\ud83d"]);
    let calls: Vec<&Value> = events.iter().filter(|event| event["type"] == "tool/call").map(|event| &event["data"]).collect();
    assert_eq!((&calls[0]["callId"], &calls[0]["name"]), (&json!("c{{surrogate:d800}}"), &json!("ba{{surrogate:dc00}}sh")));
    assert_eq!(calls[1]["arguments"], "{\"command\":\"echo {{surrogate:d83d}}\"}");
    scene.close().await;
}

#[tokio::test]
async fn thousands_of_calls_in_one_reply_are_answered_one_for_one() {
    const CALLS: usize = 2000;
    let step = (0..CALLS).fold(Step::text("").pieces(1), |step, number| match number % 3 {
        0 => step.and_tool("nonsense", "{}"),
        1 => step.and_tool("bash", "{oops"),
        _ => step.and_tool("str_replace_editor", r#"{"command":"view","path":"/there/is/none"}"#),
    });
    let (scene, events) = calling(step).await;
    let texts = results(&events);
    assert_eq!(texts.len(), CALLS);
    for (number, told) in ["unknown tool", "not JSON", "does not exist"].into_iter().cycle().take(CALLS).enumerate() {
        assert!(texts[number].contains(told), "call {number}: {}", texts[number]);
    }
    let ids: std::collections::BTreeSet<&str> =
        events.iter().filter(|event| event["type"] == "tool/call").filter_map(|event| event["data"]["callId"].as_str()).collect();
    assert_eq!(ids.len(), CALLS);
    scene.close().await;
}

#[tokio::test]
async fn a_call_that_names_itself_too_late_or_never_is_no_panic() {
    let pieces = [
        r#"{"tool_calls":[{"index":5,"function":{"arguments":"{\"command\":\"echo late\"}"}}]}"#,
        r#"{"tool_calls":[{"index":5,"id":"x"}]}"#,
        r#"{"tool_calls":[{"index":5,"function":{"name":"bash"}}]}"#,
        r#"{"tool_calls":[{"index":18446744073709551615,"id":"y"}]}"#,
        r#"{"tool_calls":[{}]}"#,
    ];
    let lines: Vec<String> = pieces.iter().map(|delta| format!("data: {{\"choices\":[{{\"delta\":{delta}}}]}}\n\n")).collect();
    let step = Step::raw(lines.iter().map(String::as_str).chain(["data: [DONE]\n\n"]));
    let mut scene = Scene::start([step, Step::text("done")]).await;
    let events = scene.turn("s", "go").await;
    assert_completed(&events);
    assert_eq!(results(&events), ["late", "Error: unknown tool \"\"", "Error: unknown tool \"\""]);
    scene.close().await;
}

#[tokio::test]
async fn pieces_of_the_wrong_type_end_the_reply_and_not_the_session() {
    let pieces = [
        r#"{"content":5}"#,
        r#"{"tool_calls":"many"}"#,
        r#"{"tool_calls":[{"index":-1}]}"#,
        r#"{"tool_calls":[{"function":{"arguments":{"command":"ls"}}}]}"#,
    ];
    let steps = pieces.map(|delta| Step::raw([format!("data: {{\"choices\":[{{\"delta\":{delta}}}]}}\n\n").as_str()]));
    let mut scene = Scene::start(steps.into_iter().chain([shell("echo on"), Step::text("done")])).await;
    for delta in pieces {
        let events = scene.turn("s", "go").await;
        assert_told(failure(&events, "MALFORMED_RESPONSE")["message"].as_str().unwrap(), &["cannot be read", delta]);
    }
    let events = scene.turn("s", "again").await;
    assert_completed(&events);
    assert_eq!(results(&events), ["on"]);
    scene.close().await;
}

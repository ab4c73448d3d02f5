//! One run of a recording.

use std::fs;

use dsh_product_tests::{Client, Place, binary, restored};
use dsh_testkit::{MockServer, Script};
use serde_json::{Value, json};
use tokio::process::Command;

use crate::chunks::answer;
use crate::scenario::Scenario;
use crate::tokens::Tokens;

/// A binary about to be started, and where.
pub struct Run {
    pub place: Place,
    pub command: Command,
}

/// Runs a recording anew against a model server and yields its files as this run would record them.
pub async fn replay(scenario: &Scenario) -> [(&'static str, String); 3] {
    let place = Place::new();
    let cwd = cwd(&place);
    let hydrated =
        |chunk: &Value| serde_json::from_str(&chunk.to_string().replace("{{cwd}}", &cwd)).expect("a path needs no escape in JSON");
    let steps = scenario.calls.iter().map(|chunks| answer(&chunks.iter().map(hydrated).collect::<Vec<Value>>()));
    let server = MockServer::start(Script::new(steps)).await;
    let command = place.command(&binary("minimal"), &server.url());
    let files = drive(scenario, Run { place, command }).await;
    assert_eq!(server.requests().len(), scenario.calls.len(), "{}: the model is called as often as then", scenario.session);
    files
}

fn cwd(place: &Place) -> String {
    place.workspace().to_str().expect("the temporary folder has a name in UTF-8").to_owned()
}

/// Sends the prompts of a recording to a binary and yields what it told and logged.
pub async fn drive(scenario: &Scenario, Run { place, mut command }: Run) -> [(&'static str, String); 3] {
    let cwd = cwd(&place);
    command.envs(&scenario.environment);
    let mut client = Client::start(command);
    client.initialize(&place.workspace()).await;
    for prompt in &scenario.prompts {
        client.turn(&scenario.session, &prompt.replace("{{cwd}}", &cwd)).await;
    }
    client.request("shutdown", &json!({})).await.expect("the end is granted");
    let ended = client.end().await;
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    for (file, text) in &scenario.files {
        let found = fs::read_to_string(place.workspace().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(&found, text, "{}: {file}", scenario.session);
    }

    let mut tokens = Tokens::new(&cwd, &scenario.session);
    let told: Vec<Value> = ended.frames.iter().filter(|frame| frame.method().is_some()).map(|frame| frame.value.clone()).collect();
    let notifications = lines(told.iter().map(|frame| tokens.replace(&json!({ "method": frame["method"], "params": frame["params"] }))));
    let log = place.log(&scenario.session);
    let events = log.events.iter().map(|event| {
        let mut event = event.clone();
        // Both follow from the place in the log and are compared in the notifications.
        if let Some(members) = event.as_object_mut() {
            members.shift_remove("seq");
            members.shift_remove("time");
        }
        event
    });
    let recorded: Vec<Value> = std::iter::once(log.header.clone()).chain(events).collect();
    tokens.keep_prompt(scenario.keeps_prompt);
    let session = lines(recorded.iter().map(|record| tokens.replace(record)));
    let result = lines([json!({ "sessionId": "{{sessionId}}", "finalResponse": final_response(&log.events) })]);
    [("notifications.expected.jsonl", notifications), ("session.jsonl", session), ("result.expected.json", result)]
}

fn lines(values: impl IntoIterator<Item = Value>) -> String {
    values.into_iter().map(|value| restored(&value.to_string()) + "\n").collect()
}

/// The text of the last reply.
fn final_response(events: &[Value]) -> String {
    let mut replies = events.iter().filter(|event| event["type"] == "assistant/message");
    let content = replies.next_back().and_then(|event| event["data"]["message"]["content"].as_array()).into_iter().flatten();
    content.filter(|block| block["type"] == "text").filter_map(|block| block["text"].as_str()).collect()
}

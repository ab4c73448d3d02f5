//! What a run told and logged, as a recording holds it.

use dsh_product_tests::{Frame, Log, restored};
use serde_json::{Value, json};

use crate::scenario::Scenario;
use crate::tokens::{Prompt, Tokens};

/// What a run told and logged.
pub struct Played {
    pub frames: Vec<Frame>,
    pub log: Log,
    /// Where it worked.
    pub cwd: String,
}

impl Played {
    /// The files that would record it.
    pub fn files(&self, scenario: &Scenario, prompt: &Prompt) -> [(&'static str, String); 3] {
        let mut tokens = Tokens::new(&self.cwd, &scenario.session, prompt);
        let told = self.frames.iter().filter(|frame| frame.method().is_some()).map(|frame| &frame.value);
        let notifications = lines(told.map(|frame| tokens.replace(&json!({ "method": frame["method"], "params": frame["params"] }))));
        let events = self.log.events.iter().map(|event| {
            let mut event = event.clone();
            // Both follow from the place in the log and are compared in the notifications.
            if let Some(members) = event.as_object_mut() {
                members.shift_remove("seq");
                members.shift_remove("time");
            }
            event
        });
        let recorded: Vec<Value> = std::iter::once(self.log.header.clone()).chain(events).collect();
        if scenario.keeps_prompt {
            tokens.keep_prompt();
        }
        let session = lines(recorded.iter().map(|record| tokens.replace(record)));
        let result = lines([json!({ "sessionId": "{{sessionId}}", "finalResponse": final_response(&self.log.events) })]);
        [("notifications.expected.jsonl", notifications), ("session.jsonl", session), ("result.expected.json", result)]
    }

    /// What its model was told besides messages.
    pub fn prompt(&self) -> Prompt {
        Prompt::of(&self.log, &self.cwd)
    }
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

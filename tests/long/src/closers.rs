//! What crash repair adds to a log: the rules of the format, written down once more.

use serde_json::{Value, json};

struct Pending {
    call: String,
    step: u64,
    recorded: Option<u64>,
}

/// What is wrong with the events that follow `before` in a log that was taken up again.
#[must_use]
pub fn problems(before: &[Value], added: &[Value]) -> Vec<String> {
    let (mut turn, mut step, mut pending) = (None, None, Vec::<Pending>::new());
    for event in before {
        let data = &event["data"];
        match event["type"].as_str().unwrap_or_default() {
            "turn/start" => (turn, pending) = (data["turn"].as_u64(), Vec::new()),
            "turn/end" => (turn, step, pending) = (None, None, Vec::new()),
            "step/start" => step = data["step"].as_u64(),
            "step/end" => (step, pending) = (None, Vec::new()),
            "assistant/message" => {
                let blocks = data["message"]["content"].as_array().into_iter().flatten().filter(|block| block["type"] == "tool-call");
                pending.extend(blocks.map(|block| Pending {
                    call: block["id"].as_str().unwrap_or_default().to_owned(),
                    step: data["step"].as_u64().unwrap_or_default(),
                    recorded: None,
                }));
            }
            "tool/call" => {
                if let Some(call) = pending.iter_mut().find(|call| data["callId"] == call.call.as_str()) {
                    call.recorded = event["seq"].as_u64();
                }
            }
            "tool/result" => pending.retain(|call| data["message"]["source"]["callId"] != call.call.as_str()),
            _ => {}
        }
    }
    let Some(turn) = turn else { return Vec::new() };
    let time = before.last().map_or(&Value::Null, |event| &event["time"]);
    let mut expected = Vec::new();
    for (call, seq) in pending.iter().zip(before.len()..) {
        let (name, code) = match call.recorded {
            Some(_) => ("ToolOutcomeUnknownError", "TOOL_OUTCOME_UNKNOWN"),
            None => ("ToolNotStartedError", "TOOL_NOT_STARTED"),
        };
        let mut event = json!({
            "type": "tool/result", "turn": turn, "step": call.step, "id": format!("interrupted-tool-result-{}-{seq}", call.call),
            "callId": call.call, "error": { "name": name, "code": code }, "surfaceOp": "append",
        });
        event["sourceEventSeqs"] = call.recorded.map_or(Value::Null, |seq| json!([seq]));
        expected.push(event);
    }
    if let Some(step) = step {
        expected.push(json!({ "type": "step/end", "data": { "turn": turn, "step": step } }));
    }
    expected.push(json!({ "type": "turn/end", "data": { "turn": turn, "reason": { "kind": "interrupted" } } }));
    let found: Vec<Value> = added.iter().take(expected.len()).map(comparable).collect();
    let mut problems = Vec::new();
    if found != expected {
        problems.push(format!("repair wrote {} where {} belongs", json!(found), json!(expected)));
    }
    if let Some(other) = added.iter().take(expected.len()).find(|event| event["time"] != *time) {
        problems.push(format!("repair wrote the time {} where the last event has {time}", other["time"]));
    }
    problems
}

/// What of a closing event is compared; the words for the model are not.
fn comparable(event: &Value) -> Value {
    let data = &event["data"];
    if event["type"] != "tool/result" {
        return json!({ "type": event["type"], "data": data });
    }
    let message = &data["message"];
    json!({
        "type": "tool/result", "turn": data["turn"], "step": data["step"], "id": message["id"], "callId": message["source"]["callId"],
        "error": data["error"], "surfaceOp": event["surfaceOp"], "sourceEventSeqs": event.get("sourceEventSeqs").unwrap_or(&Value::Null),
    })
}

//! Crash repair of stored logs: what the writer left open, and the events that close it.

use dsh_session::{Repair, SessionEvent};

fn log(lines: &[&str]) -> Vec<SessionEvent> {
    let parse = |(seq, line): (usize, &&str)| {
        let stamped = format!(r#"{{"type":{},"seq":{seq},"time":{},"data":{}}}"#, kind(line), 100 + seq, data(line));
        let surface =
            if line.starts_with("assistant/message") || line.starts_with("tool/result") { r#","surfaceOp":"append"}"# } else { "}" };
        serde_json::from_str(&format!("{}{surface}", &stamped[..stamped.len() - 1])).unwrap()
    };
    lines.iter().enumerate().map(parse).collect()
}

fn kind(line: &str) -> String {
    format!("\"{}\"", line.split_once(' ').unwrap().0)
}

fn data(line: &str) -> &str {
    line.split_once(' ').unwrap().1
}

const REPLY: &str = r#"assistant/message {"turn":1,"step":1,"message":{"role":"assistant","content":[{"type":"tool-call","id":"c1","name":"a","arguments":"{}"},{"type":"tool-call","id":"c2","name":"b","arguments":"{}"}],"source":{"kind":"model","provider":"p","model":"m"},"id":"m"}}"#;
const CALL: &str = r#"tool/call {"turn":1,"step":1,"callId":"c1","name":"a","arguments":"{}"}"#;
const RESULT: &str = r#"tool/result {"turn":1,"step":1,"message":{"source":{"kind":"tool","callId":"c1"},"content":[{"type":"tool-result","toolCallId":"c1","content":[],"isError":false}],"role":"user","id":"r"}}"#;

fn closers(lines: &[&str]) -> Vec<String> {
    let mut repair = Repair::new();
    log(lines).iter().for_each(|event| repair.scan(event));
    let closers = repair.closers().unwrap();
    closers.iter().map(|event| dsh_json::to_text(event).unwrap()).collect()
}

#[test]
fn two_calls_of_which_one_was_recorded() {
    let closed = closers(&[r#"turn/start {"turn":1}"#, r#"step/start {"turn":1,"step":1}"#, REPLY, CALL]);
    assert_eq!(closed.len(), 4);
    assert!(closed[0].starts_with(r#"{"type":"tool/result","seq":4,"time":103,"data":{"turn":1,"step":1,"message":{"id":"interrupted-tool-result-c1-4","role":"user","source":{"kind":"tool","callId":"c1"},"content":[{"type":"tool-result","toolCallId":"c1","isError":true,"content":[{"type":"text","text":""#), "{}", closed[0]);
    assert!(
        closed[0].ends_with(
            r#""error":{"name":"ToolOutcomeUnknownError","code":"TOOL_OUTCOME_UNKNOWN"}},"sourceEventSeqs":[3],"surfaceOp":"append"}"#
        ),
        "{}",
        closed[0]
    );
    assert!(
        closed[1].contains("interrupted-tool-result-c2-5")
            && closed[1].contains("TOOL_NOT_STARTED")
            && !closed[1].contains("sourceEventSeqs")
    );
    assert_eq!(closed[2], r#"{"type":"step/end","seq":6,"time":103,"data":{"turn":1,"step":1}}"#);
    assert_eq!(closed[3], r#"{"type":"turn/end","seq":7,"time":103,"data":{"turn":1,"reason":{"kind":"interrupted"}}}"#);
}

#[test]
fn the_model_is_told_what_it_may_do_with_an_unknown_outcome() {
    let closed = closers(&[r#"turn/start {"turn":1}"#, r#"step/start {"turn":1,"step":1}"#, REPLY, CALL]).join("\n");
    assert!(
        closed.contains("may or may not have taken effect")
            && closed.contains("check the present state")
            && closed.contains("ask the user")
    );
    assert!(closed.contains("It may be made again"));
}

#[test]
fn a_step_that_ended_with_an_unanswered_call_only_ends_its_turn() {
    let closed = closers(&[r#"turn/start {"turn":1}"#, r#"step/start {"turn":1,"step":1}"#, REPLY, r#"step/end {"turn":1,"step":1}"#]);
    assert_eq!(closed, [r#"{"type":"turn/end","seq":4,"time":103,"data":{"turn":1,"reason":{"kind":"interrupted"}}}"#]);
}

#[test]
fn a_recorded_call_that_no_reply_named_gets_no_result() {
    let closed = closers(&[r#"turn/start {"turn":1}"#, r#"step/start {"turn":1,"step":1}"#, CALL]);
    assert_eq!(closed.len(), 2);
}

#[test]
fn answered_calls_and_closed_logs_need_nothing() {
    let closed = closers(&[r#"turn/start {"turn":1}"#, r#"step/start {"turn":1,"step":1}"#, REPLY, CALL, RESULT]);
    assert!(!closed[0].contains("c1-") && closed[0].contains("c2-5"));
    assert!(closers(&[r#"turn/start {"turn":1}"#, r#"turn/end {"turn":1,"reason":{"kind":"completed"}}"#]).is_empty());
    assert!(closers(&[]).is_empty());
}

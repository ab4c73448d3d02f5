//! The runtime checks of a log's order: a broken rule keeps the event out.

mod fixture;

use dsh_message::{ContentBlock, Message};
use dsh_session::catalogue::{StepEnd, StepStart, ToolResultRecord, TurnEnd, TurnEndReason, TurnStart};
use dsh_session::{AppendError, SurfaceOp};
use fixture::Fixture;

fn refused<T: std::fmt::Debug>(outcome: Result<T, AppendError>, rule: &str) {
    let error = outcome.unwrap_err().to_string();
    assert!(error.contains("dsh-session") && error.contains(rule), "{error}");
}

#[tokio::test]
async fn turns_and_steps_are_numbered_without_gaps_and_close_in_order() {
    let fixture = Fixture::mount_with_checks().await;
    let session = fixture.live("s");
    refused(session.append(&TurnStart { turn: 2 }), "follows turn 0");
    session.append(&TurnStart { turn: 1 }).unwrap();
    refused(session.append(&TurnStart { turn: 2 }), "while turn 1 is open");
    refused(session.append(&StepStart { turn: 1, step: 2 }), "step 2 follows step 0");
    session.append(&StepStart { turn: 1, step: 1 }).unwrap();
    refused(session.append(&StepEnd { turn: 1, step: 2 }), "open is");
    refused(session.append(&TurnEnd { turn: 1, reason: TurnEndReason::Completed }), "while its step");
    session.append(&StepEnd { turn: 1, step: 1 }).unwrap();
    refused(session.append(&TurnEnd { turn: 2, reason: TurnEndReason::Completed }), "open is Some(1)");
    session.append(&TurnEnd { turn: 1, reason: TurnEndReason::Completed }).unwrap();
    assert_eq!(session.length(), 4, "a refused event leaves the log as it was");
}

#[tokio::test]
async fn a_result_needs_its_call_in_the_same_step() {
    let fixture = Fixture::mount_with_checks().await;
    let session = fixture.live("s");
    session.append(&TurnStart { turn: 1 }).unwrap();
    session.append(&StepStart { turn: 1, step: 1 }).unwrap();
    let message = Message::tool_result("r".into(), "c".into(), vec![ContentBlock::text("x")], false).into();
    let result = ToolResultRecord { turn: 1, step: 1, message, error: None, meta: None };
    refused(session.append_message(&result, SurfaceOp::Append, None), "has no call in its step");
}

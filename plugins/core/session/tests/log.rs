//! The log and what is derived from it, at the boundary of a mounted session store.

mod fixture;

use std::sync::{Arc, Mutex};

use dsh_message::{ContentBlock, Message, MessageSource, StreamChunk};
use dsh_runtime::Position;
use dsh_session::catalogue::{
    AssistantChunk, AssistantMessage, StepEnd, StepStart, ToolCallRecord, ToolResultRecord, TurnStart, UserMessage,
};
use dsh_session::{AppendError, Appended, NewSession, SessionEvent, SurfaceOp};
use fixture::{Fixture, user};

fn line(event: &SessionEvent) -> String {
    dsh_json::to_text(event).unwrap()
}

#[tokio::test]
async fn events_are_numbered_stamped_and_written_in_the_writers_order() {
    let fixture = Fixture::mount().await;
    let session = fixture.live("s");
    session.append(&TurnStart { turn: 1 }).unwrap();
    session.append(&StepStart { turn: 1, step: 1 }).unwrap();
    let said = session.append_message(&UserMessage(user("m1", "hi")), SurfaceOp::Append, None).unwrap();
    assert_eq!(
        line(&said),
        r#"{"type":"user/message","seq":2,"time":1790000000000,"data":{"content":[{"type":"text","text":"hi"}],"source":{"kind":"user"},"role":"user","id":"m1"},"surfaceOp":"append"}"#
    );
    let read: SessionEvent = serde_json::from_str(&line(&said)).unwrap();
    assert_eq!(line(&read), line(&said));
}

#[tokio::test]
async fn history_is_what_the_surface_holds() {
    let fixture = Fixture::mount().await;
    let session = fixture.live("s");
    session.append(&TurnStart { turn: 1 }).unwrap();
    session.append(&StepStart { turn: 1, step: 1 }).unwrap();
    for (id, text) in [("m1", "one"), ("m2", "two"), ("m3", "three")] {
        session.append_message(&UserMessage(user(id, text)), SurfaceOp::Append, None).unwrap();
    }
    let before = session.history();
    let op = SurfaceOp::Replace { start: 2, end: 3 };
    session.append_message(&UserMessage(user("m4", "summary")), op, Some(vec![2, 3])).unwrap();
    let ids = |history: &dsh_session::History| history.messages().iter().map(|message| message.id.to_string()).collect::<Vec<_>>();
    assert_eq!(ids(&session.history()), ["m4", "m3"]);
    assert_eq!(ids(&before), ["m1", "m2", "m3"], "a history that was taken does not change");
    assert_eq!(session.surface_seqs(), [5, 4]);
    // Positions count, not numbers: 5 stands before 4.
    let op = SurfaceOp::Replace { start: 5, end: 4 };
    session.append_message(&UserMessage(user("m5", "all")), op, Some(vec![5, 4, 0])).unwrap();
    assert_eq!(ids(&session.history()), ["m5"]);
}

#[tokio::test]
async fn an_event_that_does_not_fit_the_surface_leaves_the_log_unchanged() {
    let fixture = Fixture::mount().await;
    let session = fixture.live("s");
    session.append_message(&UserMessage(user("m1", "one")), SurfaceOp::Append, None).unwrap();
    let refused = [
        session.append_message(&UserMessage(user("m2", "x")), SurfaceOp::Replace { start: 7, end: 7 }, Some(vec![0])),
        session.append_message(&UserMessage(user("m2", "x")), SurfaceOp::Replace { start: 0, end: 0 }, Some(vec![])),
        session.append_message(&UserMessage(user("m2", "x")), SurfaceOp::Replace { start: 0, end: 0 }, None),
        session.append_message(&UserMessage(user("m2", "x")), SurfaceOp::Append, Some(vec![])),
        session.append_message(&UserMessage(user("m2", "x")), SurfaceOp::Append, Some(vec![0, 0])),
        session.append_message(&UserMessage(user("m2", "x")), SurfaceOp::Append, Some(vec![1])),
    ];
    for outcome in refused {
        assert!(matches!(outcome, Err(AppendError::Surface(_))), "{outcome:?}");
    }
    assert_eq!(session.length(), 1);
}

#[tokio::test]
async fn a_rewritten_tool_result_may_differ_in_content_only() {
    let fixture = Fixture::mount().await;
    let session = fixture.live("s");
    session.append(&TurnStart { turn: 1 }).unwrap();
    session.append(&StepStart { turn: 1, step: 1 }).unwrap();
    let (name, arguments) = ("bash".into(), "{}".into());
    session.append(&ToolCallRecord { turn: 1, step: 1, call_id: "c".into(), name, arguments }).unwrap();
    let result = |text: &str, is_error| {
        let message = Message::tool_result("r".into(), "c".into(), vec![ContentBlock::text(text)], is_error).into();
        ToolResultRecord { turn: 1, step: 1, message, error: None, meta: None }
    };
    session.append_message(&result("a long text", false), SurfaceOp::Append, Some(vec![2])).unwrap();
    let op = SurfaceOp::Replace { start: 3, end: 3 };
    assert!(session.append_message(&result("short", true), op, Some(vec![3])).is_err());
    session.append_message(&result("short", false), op, Some(vec![3])).unwrap();
}

#[tokio::test]
async fn a_reply_without_content_holds_a_place_but_says_nothing() {
    let fixture = Fixture::mount().await;
    let session = fixture.live("s");
    session.append(&TurnStart { turn: 1 }).unwrap();
    session.append(&StepStart { turn: 1, step: 1 }).unwrap();
    let source = MessageSource::Model { provider: "p".into(), model: "m".into(), replay_state: None };
    let message = Message::assistant("a".into(), vec![], source).into();
    let reply = AssistantMessage { turn: 1, step: 1, message, interrupted: false, usage: None };
    session.append_message(&reply, SurfaceOp::Append, Some(vec![])).unwrap();
    assert!(session.history().messages().is_empty());
    assert_eq!(session.surface_seqs(), [2]);
}

#[tokio::test]
async fn half_a_surrogate_pair_is_logged_as_it_came() {
    let fixture = Fixture::mount().await;
    let session = fixture.live("s");
    session.append(&TurnStart { turn: 1 }).unwrap();
    session.append(&StepStart { turn: 1, step: 1 }).unwrap();
    let chunk: StreamChunk = serde_json::from_str(r#"{"type":"text-delta","index":0,"text":"\uD83D"}"#).unwrap();
    let event = session.append(&AssistantChunk { turn: 1, step: 1, chunk }).unwrap();
    assert!(line(&event).contains(r#""text":"\ud83d""#));
}

#[tokio::test]
async fn listeners_hear_events_after_publication_and_cannot_append_from_inside() {
    let fixture = Fixture::mount().await;
    let session = fixture.prepared("s");
    session.append(&TurnStart { turn: 1 }).unwrap();
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let record = Arc::clone(&heard);
    let listener = move |appended: &Appended| {
        let nested = appended.session.append(&StepEnd { turn: 9, step: 9 });
        record.lock().unwrap().push(format!("{} {}", appended.event.kind, matches!(nested, Err(AppendError::Reentrant { .. }))));
        panic!("a listener that fails must not lose the event");
    };
    fixture.appended().listen((Position::Row, 0), None, Arc::new(listener), fixture.cx().effects());
    fixture.publish(&session);
    session.append(&StepStart { turn: 1, step: 1 }).unwrap();
    assert_eq!(*heard.lock().unwrap(), ["step/start true"]);
    assert_eq!(session.length(), 2);
    assert_eq!(fixture.backlog(), ["turn/start"], "what was appended before is handed over with the creation");
}

#[tokio::test]
async fn an_id_is_live_once_and_a_refused_session_is_taken_out() {
    let fixture = Fixture::mount().await;
    fixture.live("s");
    let again = fixture.store().prepare("s".into(), NewSession::default(), None).unwrap();
    assert_eq!(fixture.store().enter(&again).unwrap_err().to_string(), "session \"s\" already exists");
    assert!(fixture.store().prepare("".into(), NewSession::default(), None).is_err());
    fixture.refuse_next_creation();
    let refused = fixture.prepared("t");
    fixture.store().enter(&refused).unwrap();
    assert!(fixture.store().announce(&refused).is_err());
    assert!(fixture.store().get(&"t".into()).is_none());
    assert_eq!(fixture.disposed(), ["t"]);
}

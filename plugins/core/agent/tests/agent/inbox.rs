//! Pending input: what is logged, what is heard, what is refused.

use std::sync::{Arc, Mutex};

use dsh_agent::{AgentInboxInserted, ClaimFrom, Inbox, InboxEvents, InboxFailure, InboxFold, InboxMessage, Misfit, Target};
use dsh_runtime::event::observer;
use dsh_runtime::{Dispatcher, Position};
use dsh_session::{Appended, SeedFold, Session, SessionEvent, SessionEventAppended};

use crate::world::{World, message};

/// A log line's message.
fn logged(id: &str) -> String {
    format!(r#"{{"content":[{{"type":"text","text":""}}],"source":{{"kind":"user"}},"role":"user","id":"{id}"}}"#)
}

fn inserted(target: &str, start: usize, id: &str) -> String {
    format!(r#"{{"target":"{target}","start":{start},"inserted":[{}]}}"#, logged(id))
}

/// An inbox with one turn and two pieces of input for the next step, whose insertions were heard already.
async fn filled() -> World {
    let world = World::new().await;
    world.inbox.append(Target::NextTurn, message("turn 1")).unwrap();
    world.inbox.append(Target::NextStep, message("step 1")).unwrap();
    world.inbox.append(Target::NextTurn, message("turn 2")).unwrap();
    world.inbox.append(Target::NextStep, message("step 2")).unwrap();
    assert_eq!(world.heard(), ["inserted turn 1", "inserted step 1", "inserted turn 2", "inserted step 2"]);
    world
}

#[tokio::test]
async fn input_is_logged_at_the_end_of_its_list() {
    let world = filled().await;
    let expected = [
        inserted("next-turn", 0, "turn 1"),
        inserted("next-step", 0, "step 1"),
        inserted("next-turn", 1, "turn 2"),
        inserted("next-step", 1, "step 2"),
    ];
    assert_eq!(world.log(), expected);
    assert_eq!(world.pending(Target::NextTurn), ["turn 1", "turn 2"]);
    assert_eq!(world.pending(Target::NextStep), ["step 1", "step 2"]);
    assert!(!world.inbox.is_empty());
    world.teardown().await;
}

#[tokio::test]
async fn a_message_is_pending_once_in_both_lists_together() {
    let world = filled().await;
    for target in [Target::NextTurn, Target::NextStep] {
        for id in ["turn 2", "step 1"] {
            let refused = world.inbox.append(target, message(id)).unwrap_err();
            assert!(matches!(&refused, InboxFailure::Misfit(Misfit::Pending(pending)) if &*pending.0 == id));
            assert_eq!(refused.to_string(), format!("message \"{id}\" is already pending"));
        }
    }
    assert_eq!((world.log().len(), world.heard().len()), (4, 0), "nothing was logged or heard");
    // What was claimed may come again.
    world.inbox.claim(ClaimFrom::Step, 1).unwrap();
    world.inbox.append(Target::NextTurn, message("step 1")).unwrap();
    world.teardown().await;
}

#[tokio::test]
async fn a_turn_claims_all_input_for_the_step_and_then_one_turn() {
    let world = filled().await;
    let claimed = world.inbox.claim(ClaimFrom::Turn, 7).unwrap();
    assert_eq!(claimed.iter().map(|message| &*message.id.0).collect::<Vec<_>>(), ["step 1", "step 2", "turn 1"]);
    assert_eq!(
        world.log()[4..],
        [
            r#"{"target":"next-step","start":0,"removedCount":2,"inserted":[]}"#,
            r#"{"target":"next-turn","start":0,"removedCount":1,"inserted":[]}"#
        ]
    );
    assert_eq!(world.heard(), ["claimed step 1 in turn 7", "claimed step 2 in turn 7", "claimed turn 1 in turn 7"]);
    assert_eq!((world.pending(Target::NextTurn), world.pending(Target::NextStep)), (vec!["turn 2".to_owned()], Vec::new()));
    world.teardown().await;
}

#[tokio::test]
async fn what_is_claimed_for_the_step_is_announced_before_the_turn_is_claimed() {
    let world = filled().await;
    let (inbox, seen): (_, Arc<Mutex<Vec<usize>>>) = (Arc::clone(&world.inbox), Arc::default());
    let notes = Arc::clone(&seen);
    world.on_claimed(move |_| notes.lock().unwrap().push(inbox.pending(Target::NextTurn).len()));
    world.inbox.claim(ClaimFrom::Turn, 1).unwrap();
    assert_eq!(*seen.lock().unwrap(), [2, 2, 1], "turns that wait when `step 1`, `step 2` and `turn 1` are announced");
    world.teardown().await;
}

#[tokio::test]
async fn a_step_claims_the_input_for_the_step_alone() {
    let world = filled().await;
    let claimed = world.inbox.claim(ClaimFrom::Step, 1).unwrap();
    assert_eq!(claimed.len(), 2);
    assert_eq!(world.pending(Target::NextTurn), ["turn 1", "turn 2"]);
    assert!(world.inbox.claim(ClaimFrom::Step, 1).unwrap().is_empty());
    assert_eq!(world.log().len(), 5, "a claim of nothing is not logged");
    world.teardown().await;
}

#[tokio::test]
async fn clearing_drops_the_input_for_the_step_first() {
    let world = filled().await;
    world.inbox.clear().unwrap();
    assert_eq!(
        world.log()[4..],
        [
            r#"{"target":"next-step","start":0,"removedCount":2,"inserted":[],"outcome":"canceled"}"#,
            r#"{"target":"next-turn","start":0,"removedCount":2,"inserted":[],"outcome":"canceled"}"#
        ]
    );
    assert_eq!(world.heard(), ["discarded step 1", "discarded step 2", "discarded turn 1", "discarded turn 2"]);
    assert!(world.inbox.is_empty());
    world.inbox.clear().unwrap();
    assert_eq!((world.log().len(), world.heard().len()), (6, 0), "there was nothing left to drop");
    world.teardown().await;
}

#[tokio::test]
async fn listeners_of_the_log_see_the_lists_as_they_were_and_cannot_change_them() {
    let world = World::new().await;
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let (inbox, notes) = (Arc::clone(&world.inbox), Arc::clone(&seen));
    let look = move |_: &Appended| {
        let appended = inbox.append(Target::NextStep, message("in between")).map_err(|error| error.to_string());
        let cleared = inbox.clear().is_ok();
        notes.lock().unwrap().push(format!("{} pending, cleared: {cleared}, {appended:?}", inbox.pending(Target::NextTurn).len()));
    };
    world.on_log(observer::<SessionEventAppended, _>(look));
    world.inbox.append(Target::NextTurn, message("m1")).unwrap();
    world.inbox.clear().unwrap();
    let words = format!("`agent/inbox/spliced` was appended while another event of session `{}` was being published", world.agent.id());
    let refused = Err::<(), _>(words);
    let expected = [format!("0 pending, cleared: true, {refused:?}"), format!("1 pending, cleared: false, {refused:?}")];
    assert_eq!(*seen.lock().unwrap(), expected);
    assert_eq!(world.heard(), ["inserted m1", "discarded m1"]);
    world.teardown().await;
}

#[tokio::test]
async fn listeners_of_the_inbox_may_change_it() {
    let world = World::new().await;
    let more = |InboxMessage { agent, message: inserted }: &InboxMessage| {
        if &*inserted.id.0 == "m1" {
            agent.inbox().append(Target::NextTurn, message("elsewhere")).unwrap();
        }
    };
    let (key, effects) = ((Position::Row, world.row.row()), world.row.effects());
    world.topics.inserted.listen(key, None, observer::<AgentInboxInserted, _>(more), effects);
    let inbox = Arc::clone(&world.inbox);
    let drop_it = move |_: &InboxMessage| inbox.clear().unwrap();
    world.topics.inserted.listen(key, None, observer::<AgentInboxInserted, _>(drop_it), effects);
    world.inbox.append(Target::NextTurn, message("m1")).unwrap();
    assert!(world.inbox.is_empty());
    assert_eq!(world.heard(), ["inserted m1", "discarded m1"]);
    assert_eq!(world.agent.inbox().pending(Target::NextTurn).len(), 1);
    world.teardown().await;
}

/// An inbox of its own over a session.
fn fresh(session: &Arc<Session>) -> Inbox {
    let events = InboxEvents { inserted: Dispatcher::detached(), claimed: Dispatcher::detached(), discarded: Dispatcher::detached() };
    Inbox::new(Arc::clone(session), events)
}

/// What is left pending by the changes of a log that no fork begins with.
fn fold(events: &[Arc<SessionEvent>]) -> InboxFold {
    let mut fold = InboxFold::default();
    events.iter().for_each(|event| fold.take(event));
    fold
}

#[tokio::test]
async fn the_recorded_changes_rebuild_the_inbox_without_a_word() {
    let world = filled().await;
    world.inbox.claim(ClaimFrom::Turn, 1).unwrap();
    world.inbox.append(Target::NextStep, message("step 3")).unwrap();
    world.heard();
    let (rebuilt, length) = (fresh(world.agent.session()), world.agent.session().length());
    rebuilt.restore(&fold(&world.events())).unwrap();
    for target in [Target::NextTurn, Target::NextStep] {
        assert_eq!(rebuilt.pending(target), world.inbox.pending(target));
    }
    assert_eq!((world.agent.session().length(), world.heard().len()), (length, 0));
    world.teardown().await;
}

#[tokio::test]
async fn recorded_changes_that_do_not_fit_are_refused_with_their_event() {
    let world = filled().await;
    let event = |data: &str| {
        let mut event = SessionEvent::clone(&world.events()[0]);
        event.seq = 9;
        event.data = serde_json::from_str(data).unwrap();
        event
    };
    let insert = |start: usize, ids: &[&str]| {
        let messages: Vec<String> = ids.iter().map(|id| logged(id)).collect();
        event(&format!(r#"{{"target":"next-turn","start":{start},"inserted":[{}]}}"#, messages.join(",")))
    };
    let place = "the list has no such place";
    let cases = [
        (event(r#"{"target":"next-turn","start":3,"inserted":[]}"#), place),
        (event(r#"{"target":"next-turn","start":1,"removedCount":2,"inserted":[]}"#), place),
        (event(r#"{"target":"next-turn","start":1,"removedCount":18446744073709551615,"inserted":[]}"#), place),
        (insert(3, &["new"]), place),
        (insert(0, &["turn 2"]), "message \"turn 2\" is already pending"),
        (insert(2, &["step 1"]), "message \"step 1\" is already pending"),
        (insert(2, &["new", "new"]), "message \"new\" is already pending"),
        (event(r#"{"target":"next-week","start":0,"inserted":[]}"#), "its data has another form"),
        (event(r#"{"target":"next-turn","start":-1,"inserted":[]}"#), "its data has another form"),
        (event("{}"), "its data has another form"),
    ];
    for (event, expected) in cases {
        let mut changes = fold(&world.events());
        changes.take(&event);
        let refused = world.inbox.restore(&changes).unwrap_err();
        assert!(matches!(refused, InboxFailure::Replay { seq: 9, .. }));
        assert_eq!(refused.to_string(), format!("event 9 cannot be a change of the inbox: {expected}"), "{}", event.data);
        assert_eq!((world.pending(Target::NextTurn).len(), world.pending(Target::NextStep).len()), (2, 2));
    }
    // Replacing a message by itself is no second one.
    let replaced = format!(r#"{{"target":"next-turn","start":1,"removedCount":1,"inserted":[{}],"outcome":"canceled"}}"#, logged("turn 2"));
    let mut changes = fold(&world.events());
    changes.take(&event(&replaced));
    world.inbox.restore(&changes).unwrap();
    assert_eq!(world.pending(Target::NextTurn), ["turn 1", "turn 2"]);
    world.teardown().await;
}

#[tokio::test]
async fn events_of_other_types_change_nothing() {
    let world = filled().await;
    let turn = world.agent.session().append(&dsh_session::catalogue::TurnStart { turn: 1 }).unwrap();
    let mut changes = fold(&world.events());
    changes.take(&turn);
    world.inbox.restore(&changes).unwrap();
    assert_eq!(world.pending(Target::NextTurn).len(), 2);
    world.teardown().await;
}

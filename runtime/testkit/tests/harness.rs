//! The harness mounts and takes down as a binary does.

use std::sync::{Arc, Mutex};

use dsh_agent::{Agent, KeepInbox};
use dsh_message::{ContentBlock, Message, MessageId, MessageSource};
use dsh_runtime::Position;
use dsh_session::Session;
use dsh_session::catalogue::{AbortCause, TurnStart};
use dsh_testkit::{Harness, TestAgent};

#[tokio::test]
async fn surroundings_are_made_up() {
    let harness = Harness::with_environment([("PATH", "/bin")]);
    let surroundings = harness.surroundings();
    assert_eq!(surroundings.environment.var("PATH"), Some("/bin"));
    assert_eq!(surroundings.environment.var_os("HOME"), Some(harness.folder().as_os_str()));
    assert_eq!(surroundings.environment.cwd(), harness.folder());
    assert_eq!(surroundings.ids.uuid(), "00000000-0000-4000-8000-000000000001");
    let before = surroundings.clock.now();
    harness.clock().advance(5);
    assert_eq!(surroundings.clock.now().0, before.0 + 5);
    harness.teardown().await;
}

#[tokio::test]
async fn rows_are_undone_in_reverse() {
    let mut harness = Harness::new();
    let undone: Arc<Mutex<Vec<&str>>> = Arc::default();
    for name in ["first", "second"] {
        let undone = Arc::clone(&undone);
        harness.context(name).await.effects().push_sync(move || undone.lock().unwrap().push(name));
    }
    harness.teardown().await;
    assert_eq!(*undone.lock().unwrap(), ["second", "first"]);
}

#[tokio::test]
#[should_panic(expected = "these rows were not undone: [\"broken\"]")]
async fn an_effect_that_cannot_be_undone_fails_the_test() {
    let mut harness = Harness::new();
    harness.context("broken").await.effects().push_sync(|| panic!("stuck"));
    harness.teardown().await;
}

#[tokio::test]
async fn an_agent_has_a_real_session_that_ends_with_the_harness() {
    let mut harness = Harness::new();
    let folder = harness.folder().to_owned();
    let agent = TestAgent::new(&mut harness, &folder).await;
    let sessions = harness.sessions().await;
    assert_eq!(agent.session().header().cwd.as_deref(), folder.to_str());
    assert!(sessions.store.get(agent.id()).is_some());
    assert_eq!(agent.session().scope(), Some(agent.scope().id()));
    let refused = agent.session().append(&TurnStart { turn: 2 }).unwrap_err().to_string();
    assert!(refused.contains("dsh-session"), "the checks are on: {refused}");

    let disposed: Arc<Mutex<Vec<String>>> = Arc::default();
    let heard = Arc::clone(&disposed);
    let row = harness.context("listener").await;
    let observer = move |session: &Arc<Session>| {
        heard.lock().unwrap().push(session.header().id.to_string());
        Ok(())
    };
    // Kept past the teardown of its row, to hear what comes after.
    sessions.topics.disposed.listen((Position::Row, row.row()), None, Arc::new(observer), agent.scope().effects());
    agent.dispose().await;
    assert!(sessions.store.get(agent.id()).is_none());
    harness.teardown().await;
    assert_eq!(*disposed.lock().unwrap(), [""; 0], "the listener of the agent's own scope ended before its session");
}

#[tokio::test]
async fn an_agent_keeps_what_it_is_sent_and_why_it_was_cancelled() {
    let mut harness = Harness::new();
    let agent = TestAgent::new(&mut harness, "/project").await;
    let message = Arc::new(Message::user(MessageId::from("m1"), vec![ContentBlock::text("hi")], MessageSource::User));
    (&*agent as &dyn Agent).followup(message).unwrap();
    agent.cancel(AbortCause::Parent, KeepInbox::Yes);
    agent.cancel(AbortCause::User, KeepInbox::No);
    assert_eq!(agent.cancelled(), Some(AbortCause::Parent));
    assert!(agent.signal().is_cancelled());
    assert!(agent.inbox().is_empty());
    harness.teardown().await;
}

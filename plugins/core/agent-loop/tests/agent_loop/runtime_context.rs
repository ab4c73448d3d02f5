//! When the runtime context enters the conversation.

use std::sync::{Arc, Mutex};

use dsh_agent::{Agent, PreStepDecision};
use dsh_message::{ContentBlock, Message, MessageSource, PluginSource};
use dsh_session::SurfaceOp;
use dsh_session::catalogue::UserMessage;
use dsh_system_prompt::{Context, Text};
use dsh_testkit::Reply;

use crate::world::{World, check, seeded, user};

/// A context of the world whose text a test sets.
#[derive(Clone, Default)]
struct Policy(Arc<Mutex<String>>);

impl Policy {
    fn of(world: &World, text: &str) -> Self {
        let policy = Self(Arc::new(Mutex::new(text.to_owned())));
        let told = policy.clone();
        let context = Context::new("policy", 110.0, Text::computed(move |_| told.0.lock().unwrap().clone()));
        world.prompt.context(None, context, world.row.effects()).unwrap();
        policy
    }

    fn set(&self, text: &str) {
        text.clone_into(&mut self.0.lock().unwrap());
    }
}

/// The messages of the log that are no replies.
fn said(world: &World) -> Vec<String> {
    world.recorder.transcript("s").into_iter().filter(|line| line.starts_with("user/message")).collect()
}

fn texts(count: usize) -> impl Iterator<Item = Reply> {
    (0..count).map(|_| Reply::text("done"))
}

#[tokio::test]
async fn a_snapshot_follows_the_claimed_input_and_comes_again_when_it_changed() {
    let world = World::new(texts(3)).await;
    let policy = Policy::of(&world, "read only");
    world.prompt.context(None, Context::new("place", 10.0, "/work"), world.row.effects()).unwrap();
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "one").await;
    world.prompt(&agent, "m2", "two").await;
    policy.set("read and write");
    world.prompt(&agent, "m3", "three").await;
    check(
        "the messages",
        &said(&world),
        r#"
        user/message m1 "one"
        user/message snapshot place="/work" policy="read only"
        user/message m2 "two"
        user/message m3 "three"
        user/message snapshot place="/work" policy="read and write"
        "#,
    );
    let events = world.recorder.events("s");
    let snapshot = events.iter().filter_map(|event| event.data::<UserMessage>()).nth(1).unwrap();
    let text = ContentBlock::joined_text(&snapshot.0.content).to_string();
    let (headline, parts) = text.split_once("\n\n").unwrap();
    assert_eq!((headline.lines().count(), parts), (1, "/work\n\nread only"));
    world.teardown().await;
}

#[tokio::test]
async fn a_context_that_ends_is_cleared_once() {
    let world = World::new(texts(4)).await;
    let policy = Policy::of(&world, "read only");
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "one").await;
    policy.set("");
    world.prompt(&agent, "m2", "two").await;
    world.prompt(&agent, "m3", "three").await;
    policy.set("read only");
    world.prompt(&agent, "m4", "four").await;
    check(
        "the messages",
        &said(&world),
        r#"
        user/message m1 "one"
        user/message snapshot policy="read only"
        user/message m2 "two"
        user/message by dsh-system-prompt
        user/message m3 "three"
        user/message m4 "four"
        user/message snapshot policy="read only"
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn context_of_other_plugins_is_none_of_it() {
    let world = World::new(texts(2)).await;
    Policy::of(&world, "read only");
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "one").await;
    let source = PluginSource { plugin: "clock".to_owned(), form: Some("notice".to_owned()), sections: None, summary: None };
    let notice = Message::user("notice".into(), vec![ContentBlock::text("noon")], MessageSource::Plugin(source));
    agent.inject(Arc::new(notice)).unwrap();
    world.prompt(&agent, "m2", "two").await;
    check(
        "the messages",
        &said(&world),
        r#"
        user/message m1 "one"
        user/message snapshot policy="read only"
        user/message by clock
        user/message m2 "two"
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn nothing_is_said_where_there_never_was_a_context() {
    let world = World::new(texts(1)).await;
    Policy::of(&world, "");
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "one").await;
    check("the messages", &said(&world), r#"user/message m1 "one""#);
    world.teardown().await;
}

#[tokio::test]
async fn an_agent_that_wants_none_gets_none() {
    let world = World::new(texts(1)).await;
    Policy::of(&world, "read only");
    let agent = world.agent("s").await;
    world.prompt.suppress_runtime_context(Some(agent.scope().id()), agent.scope().effects());
    world.prompt(&agent, "m1", "one").await;
    check("the messages", &said(&world), r#"user/message m1 "one""#);
    world.teardown().await;
}

#[tokio::test]
async fn a_context_that_changes_in_the_middle_of_a_turn_joins_its_next_step() {
    let world = World::new(texts(2)).await;
    let policy = Policy::of(&world, "read only");
    let agent = world.agent("s").await;
    world.on_turn_stopping(move |stopping, time| {
        if time == 1 {
            policy.set("read and write");
            stopping.agent.steer(user("m2", "go on")).unwrap();
        }
        Ok(())
    });
    world.prompt(&agent, "m1", "one").await;
    check(
        "the messages",
        &said(&world),
        r#"
        user/message m1 "one"
        user/message snapshot policy="read only"
        user/message m2 "go on"
        user/message snapshot policy="read and write"
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_snapshot_of_a_rejected_step_is_offered_again() {
    let world = World::new(texts(1)).await;
    Policy::of(&world, "read only");
    let agent = world.agent("s").await;
    world.on_pre_step(|proposed| (proposed.turn == 1).then_some(Ok(PreStepDecision::Reject)));
    world.prompt(&agent, "m1", "no").await;
    world.prompt(&agent, "m2", "yes").await;
    check("the messages", &said(&world), "user/message m2 \"yes\" \n user/message snapshot policy=\"read only\"");
    world.teardown().await;
}

/// Replaces all that the model sees by a summary.
fn compact(agent: &dyn Agent, id: &str) {
    let session = agent.session();
    let shadowed = session.surface_seqs();
    let op = SurfaceOp::Replace { start: shadowed[0], end: *shadowed.last().unwrap() };
    session.append_message(&UserMessage(user(id, "summary")), op, Some(shadowed)).unwrap();
}

#[tokio::test]
async fn a_snapshot_that_is_replaced_while_a_step_is_proposed_comes_again_at_the_next() {
    let world = World::new(texts(3)).await;
    Policy::of(&world, "read only");
    let agent = world.agent("s").await;
    world.on_pre_step(|proposed| {
        if proposed.turn == 2 {
            compact(&*proposed.agent, "summary");
        }
        None
    });
    world.prompt(&agent, "m1", "one").await;
    world.prompt(&agent, "m2", "two").await;
    world.prompt(&agent, "m3", "three").await;
    world.check_requests(
        r#"
        scripted/m: m1 "one", snapshot policy="read only"
        scripted/m: summary "summary", m2 "two"
        scripted/m: summary "summary", m2 "two", "done", m3 "three", snapshot policy="read only"
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_context_that_ended_is_cleared_even_when_its_snapshot_was_replaced() {
    let world = World::new(texts(3)).await;
    let policy = Policy::of(&world, "read only");
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "one").await;
    compact(&*agent, "summary");
    policy.set("");
    world.prompt(&agent, "m2", "two").await;
    world.prompt(&agent, "m3", "three").await;
    world.check_requests(
        r#"
        scripted/m: m1 "one", snapshot policy="read only"
        scripted/m: summary "summary", m2 "two", by dsh-system-prompt
        scripted/m: summary "summary", m2 "two", by dsh-system-prompt, "done", m3 "three"
        "#,
    );
    world.teardown().await;
}

/// The messages that follow when a log that knows the policy `read only` is taken up, after `then`.
async fn taken_up(policy: &str, then: impl FnOnce(&dyn Agent)) -> Vec<String> {
    let before = World::new(texts(1)).await;
    Policy::of(&before, "read only");
    let agent = before.agent("s").await;
    before.prompt(&agent, "m1", "one").await;
    let recorder = Arc::clone(&before.recorder);
    before.teardown().await;

    let world = World::new(texts(1)).await;
    Policy::of(&world, policy);
    let agent = world.create(seeded("s", recorder.events("s"))).await.unwrap();
    then(&*agent);
    world.prompt(&agent, "m2", "two").await;
    let said = said(&world);
    world.teardown().await;
    said
}

#[tokio::test]
async fn a_log_that_is_taken_up_remembers_its_snapshot() {
    check("unchanged", &taken_up("read only", |_| {}).await, r#"user/message m2 "two""#);
    let changed = "user/message m2 \"two\" \n user/message snapshot policy=\"all\"";
    check("changed", &taken_up("all", |_| {}).await, changed);
    let ended = "user/message m2 \"two\" \n user/message by dsh-system-prompt";
    check("ended", &taken_up("", |_| {}).await, ended);
    let replaced = taken_up("", |agent| compact(agent, "summary")).await;
    check("replaced", &replaced[1..], ended);
}

//! Two ways into an agent: one that wakes it and one that waits for company.

use std::sync::Arc;

use dsh_agent::{Agent, AgentStatus, Target, Wake};
use dsh_message::Message;
use dsh_testkit::Reply;

use crate::world::{World, user};

fn ids(messages: &[Arc<Message>]) -> Vec<String> {
    messages.iter().map(|message| message.id.to_string()).collect()
}

fn pending(agent: &Arc<dyn Agent>, target: Target) -> Vec<String> {
    ids(&agent.inbox().pending(target))
}

#[tokio::test]
async fn row_09_injected_input_wakes_nobody_and_goes_with_what_does() {
    let world = World::new([Reply::text("done")]).await;
    let agent = world.agent().await;
    agent.inject(user("note", "the branch is main")).unwrap();
    world.idle(&agent).await;
    assert_eq!((agent.status(), world.boundaries().len()), (AgentStatus::Idle, 0), "a note wakes nobody");

    agent.followup(user("task", "mend it")).unwrap();
    assert_eq!(agent.status(), AgentStatus::Running, "a task does");
    world.idle(&agent).await;
    let calls = world.model.calls();
    assert_eq!(calls.len(), 1);
    assert_eq!(ids(&calls[0].request.messages.as_slice()[..2]), ["note", "task"]);
    world.teardown().await;
}

#[tokio::test]
async fn row_09_the_two_lists_of_the_inbox_are_apart() {
    let world = World::new([Reply::text("one"), Reply::text("two")]).await;
    let agent = world.agent().await;
    agent.send(user("turn 1", "first"), Target::NextTurn, Wake::No).unwrap();
    agent.send(user("turn 2", "second"), Target::NextTurn, Wake::No).unwrap();
    agent.inject(user("step", "note")).unwrap();
    assert_eq!(pending(&agent, Target::NextTurn), ["turn 1", "turn 2"]);
    assert_eq!(pending(&agent, Target::NextStep), ["step"]);

    agent.steer(user("wake", "now")).unwrap();
    assert_eq!(pending(&agent, Target::NextTurn), ["turn 2"], "a turn claims one message that is a turn of its own");
    assert!(pending(&agent, Target::NextStep).is_empty(), "and all that wait for a step");
    world.idle(&agent).await;
    assert_eq!(world.boundaries().iter().filter(|kind| *kind == "turn/start").count(), 2);
    world.teardown().await;
}

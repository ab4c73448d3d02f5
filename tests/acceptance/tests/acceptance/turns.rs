//! Turns are on record, also those without a step, and end with the reason that counts.

use dsh_agent::PreStepDecision;
use dsh_session::catalogue::TurnEndReason;
use dsh_testkit::Reply;

use crate::world::{World, user};

#[tokio::test]
async fn row_08_a_turn_without_input_is_on_record_and_costs_no_step() {
    let world = World::new([]).await;
    let agent = world.agent().await;
    world.on_pre_step(|_| Some(PreStepDecision::Enter(Vec::new())));
    world.prompt(&agent, "dropped").await;
    assert_eq!(world.boundaries(), ["turn/start", "turn/end"]);
    assert_eq!(world.endings(), [TurnEndReason::Completed]);
    assert!(world.model.calls().is_empty());
    world.teardown().await;
}

#[tokio::test]
async fn row_08_the_ceiling_of_output_stays_the_reason() {
    let world = World::new([Reply::cut_off("on and on"), Reply::text("done")]).await;
    let agent = world.agent().await;
    agent.followup(user("m1", "tell me")).unwrap();
    agent.steer(user("m2", "shorter")).unwrap();
    world.idle(&agent).await;
    assert_eq!(world.boundaries(), ["turn/start", "step/start", "step/end", "step/start", "step/end", "turn/end"]);
    assert_eq!(world.endings(), [TurnEndReason::MaxTokens]);
    world.teardown().await;
}

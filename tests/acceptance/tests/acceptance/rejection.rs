//! A step may be rejected before the model sees anything.

use dsh_agent::PreStepDecision;
use dsh_session::catalogue::TurnEndReason;

use crate::world::World;

#[tokio::test]
async fn row_10_a_rejected_step_ends_its_turn_as_blocked() {
    let world = World::new([]).await;
    let agent = world.agent().await;
    world.on_pre_step(|_| Some(PreStepDecision::Reject));
    world.prompt(&agent, "commit it").await;
    assert_eq!(world.boundaries(), ["turn/start", "turn/end"]);
    assert_eq!(world.endings(), [TurnEndReason::Blocked]);
    assert!(world.model.calls().is_empty());
    world.teardown().await;
}

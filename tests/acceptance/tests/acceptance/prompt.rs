//! The prompt is assembled for each step, in the order that its sections ask for.

use dsh_system_prompt::Section;
use dsh_testkit::Reply;

use crate::world::World;

#[tokio::test]
async fn row_13_sections_stand_by_their_order_not_by_their_registration() {
    let world = World::new([Reply::text("done")]).await;
    for (name, order, text) in [("late", 30.0, "Third."), ("early", 10.0, "First."), ("middle", 20.0, "Second.")] {
        world.tooling.prompt.section(None, Section::new(name, order, text), world.row.effects()).unwrap();
    }
    let agent = world.agent().await;
    world.prompt(&agent, "hello").await;
    let calls = world.model.calls();
    let system = calls[0].request.system.as_ref().expect("a system prompt");
    assert_eq!(*system, "First.\n\nSecond.\n\nThird.");
    world.teardown().await;
}

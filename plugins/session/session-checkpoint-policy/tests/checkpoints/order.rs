//! What stands before and after a checkpoint.

use dsh_testkit::Reply;
use serde_json::json;

use crate::world::World;

#[tokio::test(start_paused = true)]
async fn a_flush_stands_before_each_step_each_call_of_the_model_and_each_body() {
    let world = World::new([Reply::tool("echo", &json!({})), Reply::text("done")], []).await;
    world.turn().await;
    world.check(
        "
        agent/inbox/spliced
        turn/start
        agent/inbox/spliced
        flush 1 of s
        later listeners of step 1
        step/start
        user/message
        request/header
        request/context
        flush 2 of s
        the model is asked
        assistant/chunk
        assistant/message
        tool/call
        flush 3 of s
        the body of call_1 runs
        the result is reviewed
        tool/result
        step/end
        flush 4 of s
        later listeners of step 2
        step/start
        flush 5 of s
        the model is asked
        assistant/chunk
        assistant/message
        step/end
        turn/end
        ",
    );
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn each_of_several_calls_has_its_own_checkpoint() {
    let world = World::new([Reply::tools([("echo", json!({})), ("echo", json!({}))]), Reply::text("done")], []).await;
    let agent = world.agent().await;
    world.prompt(&agent);
    world.idle(&agent).await;
    let happened = world.happened();
    for call in ["call_1", "call_2"] {
        let body = happened.iter().position(|line| *line == format!("the body of {call} runs")).unwrap();
        assert!(happened[body - 1].starts_with("flush "), "{happened:?}");
    }
    world.teardown().await;
}

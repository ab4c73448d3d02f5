//! Background jobs live with their shell and end with it.

use crate::world::{World, becomes_true, sleepers, unique_sleep};

fn jobs(sleep: &str) -> String {
    format!(
        "sleep {sleep} >/dev/null 2>&1 &\nnohup sleep {sleep} >/dev/null 2>&1 &\nsetsid sleep {sleep} &\nsetsid --fork sleep {sleep}\n\
         (set -m; sleep {sleep} &)\n( sleep {sleep} & ) \ndisown -a"
    )
}

#[tokio::test]
async fn a_background_job_does_not_keep_its_call_open() {
    let world = World::new().await;
    let sleep = unique_sleep();
    world.run(&jobs(&sleep)).await;
    becomes_true("all run", || sleepers(&sleep) == 6).await;
    assert_eq!(world.run("echo next").await, "next");
    assert_eq!(sleepers(&sleep), 6, "they live on");
    world.close().await;
    assert_eq!(sleepers(&sleep), 0);
}

#[tokio::test]
async fn jobs_end_with_their_agent_and_with_a_reset() {
    let mut world = World::new().await;
    let (kept, sleep) = (unique_sleep(), unique_sleep());
    let other = world.another_agent().await;
    let signal = dsh_runtime::CancellationToken::new();
    world.call(&other, &jobs(&kept), signal).await;
    world.run(&jobs(&sleep)).await;
    becomes_true("all run", || sleepers(&sleep) == 6 && sleepers(&kept) == 6).await;
    world.run("exit").await;
    assert_eq!(sleepers(&sleep), 0, "a reset ends them");
    world.run(&jobs(&sleep)).await;
    becomes_true("all run", || sleepers(&sleep) == 6).await;
    world.agent.dispose().await;
    assert_eq!(sleepers(&sleep), 0, "the agent's end ends them");
    assert_eq!(sleepers(&kept), 6, "those of another agent live on");
    world.close().await;
    assert_eq!(sleepers(&kept), 0);
}

#[tokio::test]
async fn a_job_that_prints_never_blocks() {
    let world = World::new().await;
    world.run("( for i in 1 2 3 4 5; do head -c 100000 /dev/zero | tr '\\0' x; done; echo >printed ) &").await;
    let file = world.folder().join("printed");
    becomes_true("the job has printed all", || file.metadata().is_ok_and(|found| found.len() > 0)).await;
    assert_eq!(world.run("echo clean").await, "clean");
    world.close().await;
}

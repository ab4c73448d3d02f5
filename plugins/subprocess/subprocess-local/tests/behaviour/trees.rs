//! Ending whole trees.

use std::time::{Duration, Instant};

use dsh_runtime::CancellationToken;
use dsh_subprocess::{ExitOutcome, Signal, SpawnSpec};

use crate::world::{World, becomes_true, is_written, sleepers, soon, unique_sleep};

/// Ways in which a process gets away from its shell.
fn escapes(sleep: &str) -> String {
    [
        format!("sleep {sleep} &"),
        format!("nohup sleep {sleep} >/dev/null 2>&1 &"),
        format!("setsid sleep {sleep} &"),
        format!("setsid --fork sleep {sleep}"),
        format!("( set -m; sleep {sleep} & )"),
        format!("( ( sleep {sleep} & ) & )"),
        format!("bash -c \"trap '' TERM HUP INT; sleep {sleep}; sleep {sleep}\" &"),
    ]
    .join("\n")
}

#[tokio::test]
async fn every_way_out_of_the_group_is_found() {
    let world = World::new().await;
    let sleep = unique_sleep();
    let ready = world.folder.path().join("ready");
    let child = world.spawn(world.shell(&format!("{}\necho >ready; sleep {sleep}", escapes(&sleep)))).await;
    becomes_true("all are started", || is_written(&ready) && sleepers(&sleep) >= 8).await;
    soon(child.process.terminate()).await.expect("all can be ended");
    assert_eq!(sleepers(&sleep), 0);
    soon(child.process.terminate()).await.expect("doing it again is harmless");
    world.close().await;
}

#[tokio::test]
async fn what_outlives_its_leader_is_ended_too() {
    let world = World::new().await;
    let sleep = unique_sleep();
    let child = world.spawn(world.shell(&escapes(&sleep))).await;
    soon(child.process.exited()).await;
    assert!(sleepers(&sleep) > 0);
    soon(child.process.terminate()).await.expect("all can be ended");
    assert_eq!(sleepers(&sleep), 0);
    world.close().await;
}

#[tokio::test]
async fn trees_do_not_touch_each_other() {
    let (one, other) = (World::new().await, World::new().await);
    let (first, second) = (unique_sleep(), unique_sleep());
    let ended = one.spawn(one.shell(&format!("setsid --fork sleep {first}; sleep {first}"))).await;
    let kept = other.spawn(other.shell(&format!("setsid --fork sleep {second}; sleep {second}"))).await;
    becomes_true("all are started", || sleepers(&first) == 2 && sleepers(&second) == 2).await;
    soon(ended.process.terminate()).await.expect("it ends");
    assert_eq!((sleepers(&first), sleepers(&second)), (0, 2));
    soon(kept.process.terminate()).await.expect("it ends");
    assert_eq!(sleepers(&second), 0);
    one.close().await;
    other.close().await;
}

#[tokio::test]
async fn a_polite_end_is_not_waited_for_longer_than_it_takes() {
    let world = World::new().await;
    let spec = SpawnSpec { grace: Duration::from_secs(15), ..world.shell("trap 'exit 7' TERM; echo >ready; while :; do sleep 0.01; done") };
    let child = world.spawn(spec).await;
    let ready = world.folder.path().join("ready");
    becomes_true("the trap is set", || is_written(&ready)).await;
    let start = Instant::now();
    soon(child.process.terminate()).await.expect("it ends");
    assert!(start.elapsed() < Duration::from_secs(10));
    assert_eq!(child.process.outcome(), Some(ExitOutcome::Exited(7)));
    world.close().await;
}

#[tokio::test]
async fn the_stubborn_are_killed_after_the_grace_period() {
    let world = World::new().await;
    let child = world.spawn(world.shell("trap '' TERM; echo >ready; while :; do sleep 0.01; done")).await;
    let ready = world.folder.path().join("ready");
    becomes_true("the trap is set", || is_written(&ready)).await;
    let start = Instant::now();
    soon(child.process.terminate()).await.expect("it ends");
    assert!(start.elapsed() >= Duration::from_millis(300));
    assert_eq!(child.process.outcome(), Some(ExitOutcome::Killed(Signal::KILL)));
    world.close().await;
}

#[tokio::test]
async fn stopped_processes_are_ended() {
    let world = World::new().await;
    let child = world.spawn(SpawnSpec { grace: Duration::from_secs(15), ..world.shell("kill -STOP $$") }).await;
    let start = Instant::now();
    soon(child.process.terminate()).await.expect("it ends");
    assert!(start.elapsed() < Duration::from_secs(10));
    world.close().await;
}

#[tokio::test]
async fn cancelling_ends_the_tree() {
    let world = World::new().await;
    let (sleep, cancel) = (unique_sleep(), CancellationToken::new());
    let spec = SpawnSpec { cancel: cancel.clone(), ..world.shell(&format!("setsid --fork sleep {sleep}; sleep {sleep}")) };
    let child = world.spawn(spec).await;
    becomes_true("both are started", || sleepers(&sleep) == 2).await;
    cancel.cancel();
    assert_eq!(soon(child.process.exited()).await, ExitOutcome::Killed(Signal::TERMINATE));
    becomes_true("both are gone", || sleepers(&sleep) == 0).await;
    world.close().await;
}

#[tokio::test]
async fn the_whole_tree_can_be_waited_for() {
    let world = World::new().await;
    let child = world.spawn(world.shell("setsid --fork bash -c 'while [ ! -e go ]; do sleep 0.01; done; echo >done'")).await;
    soon(child.process.exited()).await;
    let gone = child.process.gone();
    tokio::pin!(gone);
    assert!(tokio::time::timeout(Duration::from_millis(100), &mut gone).await.is_err(), "one process is left");
    std::fs::write(world.folder.path().join("go"), "").expect("it is written");
    soon(gone).await;
    assert!(is_written(&world.folder.path().join("done")));
    world.close().await;
}

#[tokio::test]
async fn adopted_orphans_are_reaped() {
    let world = World::new().await;
    let child = world.spawn(world.shell("setsid --fork bash -c 'echo $$ >pid'")).await;
    soon(child.process.gone()).await;
    let pid = std::fs::read_to_string(world.folder.path().join("pid")).expect("it was written");
    let folder = format!("/proc/{}", pid.trim());
    becomes_true("the orphan left no zombie", || !std::path::Path::new(&folder).exists()).await;
    world.close().await;
}

//! Children with separate streams.

use std::time::{Duration, Instant};

use dsh_runtime::CancellationToken;
use dsh_subprocess::{ChildOutput, ExitOutcome, OutputTarget, Signal, SpawnError, SpawnSpec, StdinSource};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::world::{World, collected, sleepers, soon, unique_sleep};

#[tokio::test]
async fn streams_are_collected_and_the_code_reported() {
    let world = World::new().await;
    let child = world.spawn(world.shell("echo out; echo err >&2; exit 3")).await;
    assert_eq!(soon(child.process.exited()).await, ExitOutcome::Exited(3));
    assert_eq!((collected(&child.stdout).as_str(), collected(&child.stderr).as_str()), ("out\n", "err\n"));
    world.close().await;
}

#[tokio::test]
async fn a_killing_signal_is_reported() {
    let world = World::new().await;
    let child = world.spawn(world.shell("kill -SEGV $$")).await;
    assert_eq!(soon(child.process.exited()).await, ExitOutcome::Killed(Signal::from_number(11)));
    world.close().await;
}

#[tokio::test]
async fn only_the_tail_is_kept() {
    let world = World::new().await;
    let spec = SpawnSpec { stdout: OutputTarget::Collect { max_bytes: 10 }, ..world.shell("seq 1 100000") };
    let child = world.spawn(spec).await;
    soon(child.process.exited()).await;
    assert_eq!(collected(&child.stdout), "99\n100000\n");
    world.close().await;
}

#[tokio::test]
async fn input_is_given_as_data_or_through_a_pipe() {
    let world = World::new().await;
    let data = StdinSource::Data(b"given".to_vec());
    let child = world.spawn(SpawnSpec { stdin: data, ..world.shell("cat") }).await;
    soon(child.process.exited()).await;
    assert_eq!(collected(&child.stdout), "given");

    let spec = SpawnSpec { stdin: StdinSource::Pipe, stdout: OutputTarget::Pipe, ..world.shell("cat") };
    let mut child = world.spawn(spec).await;
    let mut input = child.stdin.take().expect("a pipe was asked for");
    input.write_all(b"typed").await.expect("it is written");
    drop(input);
    let ChildOutput::Pipe(mut output) = child.stdout else { panic!("a pipe was asked for") };
    let mut text = String::new();
    soon(output.read_to_string(&mut text)).await.expect("it is read");
    assert_eq!(text, "typed");
    world.close().await;
}

#[tokio::test]
async fn data_that_nobody_reads_is_no_failure() {
    let world = World::new().await;
    let data = StdinSource::Data(vec![b'x'; 1_000_000]);
    let child = world.spawn(SpawnSpec { stdin: data, ..world.shell("exit 0") }).await;
    assert_eq!(soon(child.process.exited()).await, ExitOutcome::Exited(0));
    world.close().await;
}

#[tokio::test]
async fn a_process_that_keeps_the_pipe_delays_the_end_by_the_grace_period_at_most() {
    let world = World::new().await;
    let sleep = unique_sleep();
    let child = world.spawn(world.shell(&format!("sleep {sleep} & echo started"))).await;
    let start = Instant::now();
    assert_eq!(soon(child.process.exited()).await, ExitOutcome::Exited(0));
    assert!(start.elapsed() >= Duration::from_millis(250), "the pipe was open until the grace period ended");
    assert_eq!(collected(&child.stdout), "started\n");
    assert_eq!(sleepers(&sleep), 1, "the leader's end does not end the rest");
    world.close().await;
    assert_eq!(sleepers(&sleep), 0);
}

#[tokio::test]
async fn what_cannot_start_says_why() {
    let world = World::new().await;
    let fail = async |spec: SpawnSpec| world.service.spawn(spec).await.err().expect("it does not start").to_string();
    let cwd = world.folder.path().join("missing");
    let text = fail(SpawnSpec { cwd: cwd.clone(), ..world.shell("true") }).await;
    assert!(text.contains(cwd.to_str().expect("UTF-8")) && text.contains("working folder"), "{text}");
    let text = fail(SpawnSpec { argv: vec!["no-such-program".into()], ..world.shell("true") }).await;
    assert!(text.contains("`no-such-program` did not start"), "{text}");
    assert_eq!(fail(SpawnSpec { argv: Vec::new(), ..world.shell("true") }).await, "no program was given");
    let cancel = CancellationToken::new();
    cancel.cancel();
    assert_eq!(fail(SpawnSpec { cancel, ..world.shell("true") }).await, "cancelled before the process was started");
    world.close().await;
}

#[tokio::test]
async fn nothing_starts_after_teardown() {
    let world = World::new().await;
    let (service, spec) = (world.service.clone(), world.shell("true"));
    world.close().await;
    assert!(matches!(service.spawn(spec).await, Err(SpawnError::ShuttingDown | SpawnError::WorkingFolder { .. })));
}

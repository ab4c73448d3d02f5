//! How the shell is lost, and that the next call has a new one.

use std::time::{Duration, Instant};

use dsh_runtime::CancellationToken;
use dsh_sandbox_policy::SandboxMode;

use crate::world::{World, becomes_true, config, sleepers, text, unique_sleep};

const RESET: &str = "The persistent bash shell was reset;";

fn assert_reset(shown: &str, before: &str) {
    let rest = shown.strip_prefix(before).unwrap_or_else(|| panic!("{shown:?} does not begin with {before:?}"));
    assert!(rest.starts_with(RESET) && !rest.contains('\n'), "{shown}");
}

#[tokio::test]
async fn exit_is_reported_and_the_next_call_starts_anew() {
    let world = World::new().await;
    world.run("cd /; NAME=x").await;
    assert_reset(&world.run("exit 9").await, "exit\n[shell exited: code 9]\n");
    assert_eq!(world.run("pwd; echo ${NAME-unset}").await, format!("{}\nunset", world.folder().display()));
    assert_reset(&world.run("echo a; kill -9 $$; echo b").await, "a\n[shell killed by signal: SIGKILL]\n");
    assert_reset(&world.run("set -e; false").await, "[shell exited: code 1]\n");
    assert_reset(&world.run("trap 'echo bye' EXIT; exit").await, "exit\nbye\n[shell exited: code 0]\n");
    assert_eq!(world.run("echo on").await, "on");
    world.close().await;
}

#[tokio::test]
async fn all_output_before_the_end_is_shown() {
    let world = World::new().await;
    for _ in 0..5 {
        let shown = world.run("sleep 1000 & seq 1 2000; exit 1").await;
        assert!(shown.contains("\n1999\n2000\nexit\n[shell exited: code 1]\n"), "{shown}");
    }
    world.close().await;
}

#[tokio::test]
async fn a_shell_that_ended_between_calls_is_told() {
    let world = World::new().await;
    let file = world.folder().join("pid");
    world.run("echo $$ >pid").await;
    let pid = std::fs::read_to_string(file).expect("it was written");
    world.run("( while [ ! -e go ]; do sleep 0.01; done; kill -9 $$ ) &").await;
    std::fs::write(world.folder().join("go"), "").expect("it is written");
    becomes_true("the shell is gone", || !std::path::Path::new(&format!("/proc/{}", pid.trim())).exists()).await;
    let shown = world.run("touch ran").await;
    assert_reset(&shown, "The command was not run: the shell had ended before.\n[shell killed by signal: SIGKILL]\n");
    assert!(!world.folder().join("ran").exists());
    assert_eq!(world.run("echo on").await, "on");
    world.close().await;
}

#[tokio::test]
async fn a_time_limit_shows_what_was_printed_and_ends_everything() {
    let world = World::with(config(1_600), SandboxMode::DangerFullAccess).await;
    let sleep = unique_sleep();
    let shown = world.run(&format!("(sleep {sleep} &); echo partial; setsid --wait sleep {sleep}")).await;
    assert_reset(&shown, "Your command timed out after 2 seconds; it had printed:\npartial\n");
    assert_eq!(sleepers(&sleep), 0);
    assert_reset(&world.run("sleep 1000").await, "Your command timed out after 2 seconds and had printed nothing.\n");
    assert_eq!(world.run("pwd").await, world.folder().display().to_string());
    world.close().await;
}

#[tokio::test]
async fn a_command_that_prints_for_ever_is_ended() {
    let world = World::with(config(1_000), SandboxMode::DangerFullAccess).await;
    let start = Instant::now();
    let shown = world.run("yes").await;
    assert!(shown.starts_with("Your command timed out after 1 seconds; it had printed:\ny\ny\n"));
    assert!(shown.contains("y\n<response clipped><NOTE>") && shown.len() < 18_000 && shown.contains(RESET), "{}", shown.len());
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert_eq!(world.run("echo on").await, "on");
    world.close().await;
}

#[tokio::test]
async fn giving_a_call_up_ends_what_runs() {
    let world = World::new().await;
    world.run("NAME=x").await;
    let (sleep, signal) = (unique_sleep(), CancellationToken::new());
    let command = format!("setsid sleep {sleep} & sleep {sleep}");
    let call = world.call(&world.agent, &command, signal.clone());
    let give_up = async {
        becomes_true("both run", || sleepers(&sleep) == 2).await;
        signal.cancel();
    };
    let (result, ()) = tokio::join!(call, give_up);
    let code = result.error.as_ref().map(|error| error.code.as_str());
    assert_eq!((code, text(&result).as_str()), (Some("ABORTED"), "Error: tool call aborted"));
    assert_eq!(sleepers(&sleep), 0);
    assert_eq!(world.run("echo ${NAME-unset}").await, "unset");
    world.close().await;
}

#[tokio::test]
async fn a_call_that_waits_for_its_turn_can_be_given_up() {
    let world = World::new().await;
    let signal = CancellationToken::new();
    let first = world.call(&world.agent, "while [ ! -e go ]; do sleep 0.01; done; echo first", CancellationToken::new());
    let second = async {
        becomes_true("the first runs", || world.terminals.list(&world.agent).len() == 1).await;
        let waiting = world.call(&world.agent, "echo second", signal.clone());
        tokio::pin!(waiting);
        assert!(tokio::time::timeout(Duration::from_millis(50), &mut waiting).await.is_err());
        signal.cancel();
        let result = waiting.await;
        std::fs::write(world.folder().join("go"), "").expect("it is written");
        result
    };
    let (first, second) = tokio::join!(first, second);
    assert_eq!(text(&first), "first");
    assert!(second.is_error);
    world.close().await;
}

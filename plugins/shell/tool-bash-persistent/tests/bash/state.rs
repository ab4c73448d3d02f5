//! What carries over from call to call, and what stays apart.

use dsh_runtime::CancellationToken;
use dsh_sandbox_policy::SandboxMode;

use crate::world::{World, config, text};

#[tokio::test]
async fn folder_variables_and_functions_carry_over() {
    let world = World::new().await;
    assert_eq!(world.run("pwd").await, world.folder().display().to_string());
    assert_eq!(world.run("cd /tmp && export COUNT=1; greet() { echo \"hi $1\"; }").await, "");
    assert_eq!(world.run("COUNT=$((COUNT + 1)); printf 'COUNT=%s CWD=%s\\n' \"$COUNT\" \"$PWD\"").await, "COUNT=2 CWD=/tmp");
    assert_eq!(world.run("greet you; bash -c 'echo $COUNT'").await, "hi you\n2");
    world.close().await;
}

#[tokio::test]
async fn agents_have_shells_of_their_own_that_run_at_once() {
    let mut world = World::new().await;
    let other = world.another_agent().await;
    world.run("NAME=first").await;
    let waits = world.call(&world.agent, "while [ ! -e go ]; do sleep 0.01; done; echo $NAME", CancellationToken::new());
    let goes = async { text(&world.call(&other, "echo ${NAME-unset}; touch go", CancellationToken::new()).await) };
    let (first, second) = tokio::join!(waits, goes);
    assert_eq!((text(&first).as_str(), second.as_str()), ("first", "unset"));
    world.close().await;
}

#[tokio::test]
async fn calls_of_one_agent_take_turns() {
    let world = World::new().await;
    let call = |command| world.call(&world.agent, command, CancellationToken::new());
    let (slow, fast) = tokio::join!(call("sleep 0.2; echo slow >>log"), call("echo fast >>log; cat log"));
    assert_eq!((text(&slow).as_str(), text(&fast).as_str()), ("", "slow\nfast"));
    world.close().await;
}

#[tokio::test]
async fn the_shell_sees_the_harness_and_no_secrets() {
    let world = World::new().await;
    let expected = format!("dumb 1 cat cat 1 {} {}/.dsh", world.agent.id(), world.folder().display());
    assert_eq!(world.run("echo $TERM $NO_COLOR $PAGER $GIT_PAGER $DSH_SHELL $DSH_SESSION_ID $DSH_HOME").await, expected);
    assert_eq!(world.run("env | grep -c hidden").await, "0\n[exit code: 1]");
    assert_eq!(world.run("env | grep -E 'KEY|DSH_MODEL'").await, "[exit code: 1]");
    world.close().await;
}

#[tokio::test]
async fn no_descriptor_of_the_harness_reaches_the_shell() {
    let world = World::new().await;
    let shown = world.run("ls -1 /proc/$$/fd").await;
    let unexpected: Vec<&str> = shown.lines().filter(|number| !["0", "1", "2", "10", "255"].contains(number)).collect();
    assert_eq!(unexpected, Vec::<&str>::new());
    world.close().await;
}

#[tokio::test]
async fn without_confinement_no_confined_shell() {
    let world = World::with(config(60_000), SandboxMode::WorkspaceWrite).await;
    let refused = world.fail("touch x").await;
    assert!(refused.starts_with("Error: the shell was not started: the sandbox mode is `workspace-write`"), "{refused}");
    assert!(!world.folder().join("x").exists());
    world.close().await;
}

#[tokio::test]
async fn commands_that_cannot_be_run_are_refused() {
    let world = World::new().await;
    assert_eq!(world.fail(" \n\t").await, "Error: `command` is blank");
    assert_eq!(world.fail("echo a\0b").await, "Error: `command` holds a NUL character, which a shell cannot take");
    world.close().await;
}

#[tokio::test]
async fn the_user_history_is_left_alone() {
    let world = World::new().await;
    world.run("echo one").await;
    assert_eq!(world.run("echo \"[$(history | wc -l)]\"").await, "[0]");
    world.run("exit").await;
    assert!(!world.folder().join(".bash_history").exists());
    world.close().await;
}

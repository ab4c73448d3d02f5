//! Commands that want input: they end at once or are interrupted, and the shell stays.

use std::time::{Duration, Instant};

use crate::world::World;

const NOTE: &str = "[interrupted: the command waited for input from a terminal, and there is none to give]";

#[tokio::test]
async fn reading_standard_input_finds_its_end() {
    let world = World::new().await;
    world.run("KEPT=yes").await;
    let start = Instant::now();
    for (command, text) in [
        ("cat", ""),
        ("read line", "[exit code: 1]"),
        ("read line; echo \"[$line]\"", "[]"),
        ("bash", ""),
        ("sort | wc -l", "0"),
        ("echo fed | { read word; echo got $word; }", "got fed"),
        ("select x in a b; do echo $x; done >/dev/null 2>&1", "[exit code: 1]"),
    ] {
        assert_eq!(world.run(command).await, text, "{command}");
    }
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert_eq!(world.run("echo $KEPT").await, "yes");
    world.close().await;
}

#[tokio::test]
async fn a_program_that_reads_the_terminal_is_interrupted_and_the_shell_stays() {
    let world = World::new().await;
    world.run("KEPT=yes").await;
    for (command, printed) in [
        ("printf 'Password: '; cat /dev/tty", "Password: \n"),
        ("bash -c 'printf ask; read answer </dev/tty'; echo never", "ask\n"),
        ("echo q; read answer </dev/tty; echo never", "q\n\n"),
    ] {
        assert_eq!(world.run(command).await, format!("{printed}{NOTE}\n[exit code: 130]"), "{command}");
        assert_eq!(world.run("echo $KEPT").await, "yes", "after {command}");
    }
    world.close().await;
}

#[tokio::test]
async fn a_program_that_ignores_the_interrupt_is_ended() {
    let world = World::new().await;
    world.run("KEPT=yes").await;
    let shown = world.run("bash -c \"trap '' INT TERM; printf ask; while :; do read answer </dev/tty; done\"; echo after").await;
    assert!(shown.starts_with("ask") && shown.contains("after") && shown.ends_with(NOTE), "{shown}");
    assert_eq!(world.run("echo $KEPT").await, "yes");
    world.close().await;
}

#[tokio::test]
async fn a_command_that_dies_from_an_interrupt_of_its_own_is_over_without_another() {
    let world = World::new().await;
    world.run("KEPT=yes").await;
    let shown = world.run("echo before; bash -c 'kill -INT $$'; echo never").await;
    assert_eq!(shown, "before\n\n[exit code: 130]");
    let shown = world.run("kill -INT $$; echo never").await;
    assert_eq!(shown.trim_start(), "[exit code: 130]");
    assert_eq!(world.run("echo $KEPT").await, "yes");
    world.close().await;
}

#[tokio::test]
async fn a_silent_command_is_left_alone() {
    let world = World::new().await;
    assert_eq!(world.run("sleep 1.2; echo done").await, "done");
    assert_eq!(world.run("bash -c 'while [ ! -e /no/such ]; do sleep 0.6; [ -n \"$x\" ] && break; x=1; done'; echo done").await, "done");
    world.close().await;
}

#[tokio::test]
async fn a_replaced_shell_ends_or_runs_on_without_a_hang() {
    let world = World::new().await;
    let shown = world.run("exec cat").await;
    assert!(shown.starts_with("[shell exited: code 0]\nThe persistent bash shell was reset;"), "{shown}");
    let shown = world.run("echo before; exec cat /dev/tty").await;
    assert!(shown.starts_with("before\n") && shown.contains("[shell killed by signal: SIGINT]\nThe persistent"), "{shown}");
    assert_eq!(world.run("pwd").await, world.folder().display().to_string());
    world.close().await;
}

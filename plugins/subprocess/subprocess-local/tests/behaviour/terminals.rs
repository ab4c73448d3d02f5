//! Children on terminals.

use std::time::{Duration, Instant};

use dsh_subprocess::{ExitOutcome, InputWait, LineMode, Signal, TerminalSpec};

use crate::world::{Screen, World, becomes_true, sleepers, soon, unique_sleep};

#[tokio::test]
async fn nothing_is_echoed_and_the_terminal_is_as_asked() {
    let world = World::new().await;
    let mut screen = world.open(world.bash()).await;
    screen.type_text("stty size; echo $TERM; ps -o tpgid= -p $$ >/dev/null; [ -t 0 ] && echo terminal; echo end\n").await;
    assert_eq!(screen.until("end\n").await, "24 80\ndumb\nterminal\n");
    world.close().await;
}

#[tokio::test]
async fn an_edited_line_is_echoed() {
    let world = World::new().await;
    let argv = vec!["/bin/cat".into()];
    let mut screen = world.open(TerminalSpec { argv, line_mode: LineMode::Edited, ..world.bash() }).await;
    screen.type_text("hello\n").await;
    assert_eq!(screen.until("hello\nhello\n").await, "");
    world.close().await;
}

#[tokio::test]
async fn a_long_line_arrives_whole() {
    let world = World::new().await;
    let mut screen = world.open(world.bash()).await;
    let long = "x".repeat(64 * 1024);
    screen.type_text(&format!("text={long}; echo ${{#text}} end\n")).await;
    assert_eq!(screen.until(" end\n").await, "65536");
    world.close().await;
}

#[tokio::test]
async fn all_output_comes_before_the_end() {
    let world = World::new().await;
    for round in 0..10 {
        let screen = world.open(world.bash()).await;
        screen.type_text("sleep 1000 & seq 1 20000; exit 5\n").await;
        let process = screen.terminal.process.clone();
        let text = String::from_utf8(screen.rest().await).expect("plain text");
        assert!(text.contains("\n19999\n20000\nexit\n"), "round {round}: {:?}", text.get(text.len().saturating_sub(100)..));
        assert_eq!(soon(process.exited()).await, ExitOutcome::Exited(5));
    }
    world.close().await;
}

#[tokio::test]
async fn output_is_read_fast() {
    let world = World::new().await;
    let mut screen = world.open(world.bash()).await;
    let start = Instant::now();
    screen.type_text("head -c 7000000 /dev/zero | tr '\\0' x; exit\n").await;
    let process = screen.terminal.process.clone();
    screen.seen.reserve(8_000_000);
    assert!(screen.rest().await.len() >= 7_000_000);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    soon(process.exited()).await;
    assert!(process.write(b"more".to_vec()).await.is_err(), "nobody is there to read it");
    world.close().await;
}

/// The foreground once it is another group than the shell's.
async fn foreground_of_child(screen: &Screen) -> dsh_subprocess::Foreground {
    let process = &screen.terminal.process;
    becomes_true("a child is in the foreground", || {
        process.inspect_foreground().is_ok_and(|found| found.process_group != process.leader())
    })
    .await;
    process.inspect_foreground().expect("there is one")
}

#[tokio::test]
async fn a_wait_for_terminal_input_is_told_from_other_waits() {
    let world = World::new().await;
    let screen = world.open(world.bash()).await;
    let process = screen.terminal.process.clone();
    let proven = || process.inspect_foreground().is_ok_and(|found| found.input == InputWait::Proven);
    becomes_true("the shell waits at its prompt", proven).await;
    for waiting in ["cat", "cat </dev/tty", "bash -c 'read -t 1000 line'", "bash -c 'exec </dev/null 7</dev/tty; cat <&7'"] {
        screen.type_text(&format!("{waiting}\n")).await;
        foreground_of_child(&screen).await;
        becomes_true(waiting, proven).await;
        let group = process.signal_foreground(Signal::INTERRUPT).expect("it is there");
        assert_ne!(group, process.leader());
        becomes_true("the shell is back", || process.inspect_foreground().is_ok_and(|found| found.process_group == process.leader())).await;
        becomes_true("the shell waits at its prompt", proven).await;
    }
    for busy in ["sleep 1000", "sleep 1000 | cat", "bash -c 'sleep 1000' </dev/null"] {
        screen.type_text(&format!("{busy}\n")).await;
        assert_eq!(foreground_of_child(&screen).await.input, InputWait::No, "{busy}");
        process.signal_foreground(Signal::KILL).expect("it is there");
        becomes_true("the shell waits at its prompt", proven).await;
    }
    world.close().await;
}

#[tokio::test]
async fn the_shell_itself_is_not_killed_by_a_signal_to_the_foreground() {
    let world = World::new().await;
    let mut screen = world.open(world.bash()).await;
    let process = screen.terminal.process.clone();
    screen.type_text("echo up\n").await;
    screen.until("up\n").await;
    becomes_true("the shell waits", || process.inspect_foreground().is_ok_and(|found| found.input == InputWait::Proven)).await;
    let refused = process.signal_foreground(Signal::KILL).expect_err("it is refused").to_string();
    assert!(refused.starts_with("SIGKILL is not sent to the shell itself"), "{refused}");
    assert_eq!(process.signal_foreground(Signal::INTERRUPT).expect("an interrupt is harmless"), process.leader());
    // It forgets what was typed before it took note of the interrupt, and begins a new line when it has.
    screen.until("\n").await;
    screen.type_text("echo still\n").await;
    screen.until("still\n").await;
    world.close().await;
}

#[tokio::test]
async fn ending_a_terminal_ends_its_jobs() {
    let world = World::new().await;
    let sleep = unique_sleep();
    let mut screen = world.open(world.bash()).await;
    let jobs = format!("sleep {sleep} & nohup sleep {sleep} >/dev/null 2>&1 & setsid sleep {sleep} & set -m; sleep {sleep} & disown -a");
    screen.type_text(&format!("{jobs}; echo end\n")).await;
    screen.until("end\n").await;
    becomes_true("all are started", || sleepers(&sleep) == 4).await;
    soon(screen.terminal.process.terminate()).await.expect("all can be ended");
    assert_eq!(sleepers(&sleep), 0);
    world.close().await;
}

#[tokio::test]
async fn an_idle_shell_ends_at_once() {
    let world = World::new().await;
    let mut screen = world.open(TerminalSpec { grace: Duration::from_secs(15), ..world.bash() }).await;
    screen.type_text("echo up\n").await;
    screen.until("up\n").await;
    let start = Instant::now();
    soon(screen.terminal.process.terminate()).await.expect("it ends");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!(screen.terminal.process.outcome(), Some(ExitOutcome::Killed(Signal::HANGUP)));
    world.close().await;
}

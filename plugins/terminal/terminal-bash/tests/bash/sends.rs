//! Typing to a session and reading what it says.

use std::time::{Duration, Instant};

use dsh_runtime::CancellationToken;
use dsh_sandbox_policy::SandboxMode;
use dsh_subprocess::{ExitOutcome, Signal};
use dsh_terminal::{Dialogue, OpenRequest, SessionStatus, WaitReason};
use dsh_terminal_bash::Config;

use crate::world::{World, config};

#[tokio::test]
async fn a_command_is_echoed_and_settles_at_the_prompt() {
    let world = World::new().await;
    let opened = world.open().await;
    assert_eq!((opened.id.to_string().as_str(), opened.startup.as_str()), ("pty-1", "dsh> "));
    let sent = world.send(opened.id, "printf 'PTY_OK\\n'").await;
    assert_eq!(sent.viewport, "printf 'PTY_OK\\n'\nPTY_OK\ndsh> ");
    assert_eq!((sent.reason, sent.status, sent.truncated), (WaitReason::StdinRead, SessionStatus::Running, false));
    let page = world.terminals.read(&world.agent, opened.id, 0, 20).expect("it is read");
    assert_eq!((page.text.as_str(), page.lines, page.total), ("dsh> printf 'PTY_OK\\n'\nPTY_OK\ndsh> ", 3, 3));
    let past = world.terminals.read(&world.agent, opened.id, 7, 20).expect("it is read");
    assert_eq!((past.text.as_str(), past.offset, past.lines, past.total), ("", 7, 0, 3));
    let again = world.try_send(opened.id, "", false, CancellationToken::new()).await.expect("it only waits");
    assert_eq!((again.viewport.as_str(), again.reason), ("", WaitReason::StdinRead));
    world.harness.teardown().await;
}

#[tokio::test]
async fn the_shell_has_its_environment_and_no_secrets() {
    let world = World::new().await;
    let id = world.open().await.id;
    let sent = world.send(id, "echo $TERM $NO_COLOR $PAGER $DSH_SHELL $DSH_PTY_SESSION_ID ${SOME_TOKEN-none} ${TMOUT-none}; pwd").await;
    let folder = world.harness.folder().canonicalize().expect("it is there");
    let expected = format!("\ndumb 1 cat 1 pty-1 none none\n{}\ndsh> ", folder.display());
    assert!(sent.viewport.ends_with(&expected), "{}", sent.viewport);
    let sent = world.send(id, "echo $DSH_SESSION_ID; echo $DSH_HOME").await;
    let expected = format!("\n{}\n{}/.dsh\ndsh> ", world.agent.id(), world.harness.folder().display());
    assert!(sent.viewport.ends_with(&expected), "{}", sent.viewport);
    world.harness.teardown().await;
}

#[tokio::test]
async fn a_program_that_reads_keys_settles_and_can_be_interrupted() {
    let world = World::new().await;
    let id = world.open().await.id;
    let sent = world.send(id, "cat").await;
    assert_eq!((sent.reason, sent.viewport.as_str()), (WaitReason::StdinRead, "cat\n"));
    let sent = world.send(id, "hello").await;
    assert_eq!((sent.reason, sent.viewport.as_str()), (WaitReason::StdinRead, "hello\nhello\n"));
    let sent = world.try_send(id, "\u{3}", false, CancellationToken::new()).await.expect("it is sent");
    assert_eq!(sent.reason, WaitReason::StdinRead);
    assert!(sent.viewport.ends_with("dsh> "), "{}", sent.viewport);
    world.harness.teardown().await;
}

#[tokio::test]
async fn silence_and_time_end_a_wait_but_not_the_command() {
    let world = World::with(Config { idle_silence_ms: 400, ..config() }, SandboxMode::DangerFullAccess).await.expect("it mounts");
    let id = world.open().await.id;
    let sent = world.send(id, "sleep 1000").await;
    assert_eq!((sent.reason, sent.status), (WaitReason::InferredIdle, SessionStatus::Running));
    let group = world.terminals.signal(&world.agent, id, Signal::INTERRUPT).expect("it is there");
    assert_ne!(Some(group), world.terminals.list(&world.agent).first().map(|entry| entry.process));
    world.harness.teardown().await;

    let world = World::with(Config { timeout_ms: 300, ..config() }, SandboxMode::DangerFullAccess).await.expect("it mounts");
    let id = world.open().await.id;
    let sent = world.send(id, "while :; do echo tick; sleep 0.05; done").await;
    assert_eq!((sent.reason, sent.status), (WaitReason::Timeout, SessionStatus::Running));
    assert!(sent.viewport.contains("tick\ntick\n"), "{}", sent.viewport);
    world.harness.teardown().await;
}

#[tokio::test]
async fn a_cancelled_send_interrupts_the_foreground() {
    let world = World::new().await;
    let id = world.open().await.id;
    let cancel = CancellationToken::new();
    // The child prints it, so that it is in the foreground by then.
    let text = "bash -c 'echo begun; exec sleep 1000'";
    let mut sending = Box::pin(world.try_send(id, text, true, cancel.clone()));
    loop {
        assert!(tokio::time::timeout(Duration::from_millis(5), &mut sending).await.is_err(), "it waits");
        if world.terminals.read(&world.agent, id, 0, 1).expect("it is read").text == "begun" {
            break;
        }
    }
    cancel.cancel();
    assert!((&mut sending).await.is_err());
    drop(sending);
    let sent = world.try_send(id, "", false, CancellationToken::new()).await.expect("it only waits");
    assert_eq!(sent.reason, WaitReason::StdinRead);
    world.harness.teardown().await;
}

#[tokio::test]
async fn a_session_that_ends_says_how() {
    let world = World::new().await;
    let id = world.open().await.id;
    let sent = world.send(id, "exit 4").await;
    assert_eq!((sent.reason, sent.status), (WaitReason::SessionExit, SessionStatus::Exited(ExitOutcome::Exited(4))));
    assert_eq!(sent.viewport, "exit 4\nexit\n");
    let sent = world.send(id, "echo more").await;
    assert_eq!((sent.reason, sent.viewport.as_str()), (WaitReason::SessionExit, ""));
    assert_eq!(world.terminals.list(&world.agent).len(), 1, "it is on record until it is closed");
    world.harness.teardown().await;
}

#[tokio::test]
async fn an_idle_shell_is_not_killed_by_signal_and_closes_fast() {
    let world = World::with(Config { dispose_grace_ms: 20_000, ..config() }, SandboxMode::DangerFullAccess).await.expect("it mounts");
    let id = world.open().await.id;
    assert!(world.terminals.signal(&world.agent, id, Signal::KILL).is_err());
    let start = Instant::now();
    world.terminals.close(&world.agent, id).await.expect("it closes");
    assert!(start.elapsed() < Duration::from_secs(10));
    assert!(world.terminals.list(&world.agent).is_empty());
    world.harness.teardown().await;
}

#[tokio::test]
async fn output_of_a_background_job_is_kept_while_nobody_reads() {
    let world = World::new().await;
    let id = world.open().await.id;
    world.send(id, "for i in 1 2 3; do head -c 100000 /dev/zero | tr '\\0' x; done; echo; echo last").await;
    let page = world.terminals.read(&world.agent, id, 1, 1).expect("it is read");
    assert_eq!(page.text, "last");
    let page = world.terminals.read(&world.agent, id, 0, 1000).expect("it is read");
    assert!(page.truncated && page.text.len() <= 10_000);
    world.harness.teardown().await;
}

#[tokio::test]
async fn a_program_gets_the_terminal_as_it_is() {
    let world = World::new().await;
    let request = OpenRequest { dialogue: Dialogue::Scripted, ..world.request() };
    let opened = world.terminals.open(&world.agent, request).await.expect("it opens");
    assert_eq!(opened.startup, "");
    for word in ["one", "two"] {
        let mut raw = world.terminals.attach(&world.agent, opened.id).expect("it is free");
        raw.write(format!("printf '\\033[1m{word}\\n'; sleep 0\n").into_bytes()).await.expect("it is typed");
        let mut seen = Vec::new();
        while !seen.ends_with(b"\n") {
            seen.extend(raw.read().await.expect("the session runs"));
        }
        assert_eq!(String::from_utf8_lossy(&seen), format!("\u{1b}[1m{word}\n"));
    }
    let mut raw = world.terminals.attach(&world.agent, opened.id).expect("it is free");
    raw.write(b"exit 3\n".to_vec()).await.expect("it is typed");
    let mut seen = Vec::new();
    while let Some(piece) = raw.read().await {
        seen.extend(piece);
    }
    assert_eq!((String::from_utf8_lossy(&seen).as_ref(), raw.exited().await), ("exit\n", ExitOutcome::Exited(3)));
    world.harness.teardown().await;
}

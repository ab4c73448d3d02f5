//! What the model reads.

use std::time::{Duration, Instant};

use dsh_sandbox_policy::SandboxMode;
use dsh_tool_bash_persistent::Config;

use crate::world::{World, config};

#[tokio::test]
async fn output_and_status_are_reported() {
    let world = World::new().await;
    for (command, text) in [
        ("true", ""),
        ("false", "[exit code: 1]"),
        ("echo out; echo err >&2", "out\nerr"),
        ("printf 'no end'", "no end"),
        ("printf 'no end'; exit_with() { return 3; }; exit_with", "no end\n[exit code: 3]"),
        ("printf 'a\\n\\n\\n'", "a\n\n"),
        ("echo; false", "[exit code: 1]"),
        ("echo; echo; false", "\n\n[exit code: 1]"),
        ("no-such-program", "bash: no-such-program: command not found\n[exit code: 127]"),
        ("kill -9 $BASHPID | cat", ""),
        ("( kill -TERM $BASHPID )", "Terminated\n[exit code: 143]"),
    ] {
        assert_eq!(world.run(command).await, text, "{command}");
    }
    world.close().await;
}

#[tokio::test]
async fn commands_of_every_form_stay_inside_their_call() {
    let world = World::new().await;
    for (command, text) in [
        ("for i in 1 2\ndo\n  echo $i\ndone", "1\n2"),
        ("cat <<'END'\na 'quoted' $line\nEND", "a 'quoted' $line"),
        ("cat <<END | tr a-z A-Z\nbig\nEND\n", "BIG"),
        ("# only a comment", ""),
        ("echo 'it'\\''s' \"a \\\"b\\\"\" \\\\", "it's a \"b\" \\"),
        ("echo hello! !! !1 'a!b' ^x^y", "hello! !! !1 a!b ^x^y"),
        ("echo a\r\necho b", "a\nb"),
        ("printf '%s' \"$(printf 'tab\\tend')\"", "tab\tend"),
        ("echo 'tab\there'", "tab\there"),
        ("echo grün 日本 \u{1f600}", "grün 日本 \u{1f600}"),
        ("printf '%s' '\u{1}\u{7f}\u{3}\u{4}' | od -An -tx1", " 01 7f 03 04"),
        ("-n 2>/dev/null", "[exit code: 127]"),
        ("echo a & wait; echo b", "a\nb"),
        ("set -u; echo ok; set +u", "ok"),
        ("printf() { echo mine; }; eval() { echo mine; }; alias builtin='echo mine'; printf", "mine"),
        ("unset -f printf eval; unalias builtin", ""),
    ] {
        let shown = world.run(command).await;
        // A job's number and process are the shell's own words.
        let shown: Vec<&str> = shown.split('\n').filter(|line| !line.starts_with("[1]")).collect();
        assert_eq!(shown.join("\n"), text, "{command}");
    }
    world.close().await;
}

#[tokio::test]
async fn syntax_errors_stay_inside_their_call() {
    let world = World::new().await;
    for command in ["if true", "echo 'open", "echo \"open", "echo $(", "done", "echo a;; echo b", "( echo", "}", "cat <<"] {
        let shown = world.run(command).await;
        assert!(shown.contains("bash:") && shown.ends_with("[exit code: 2]") || shown.ends_with("[exit code: 1]"), "{command}: {shown}");
        assert_eq!(world.run("echo fine").await, "fine", "after {command}");
    }
    world.close().await;
}

#[tokio::test]
async fn a_here_document_without_end_takes_the_rest() {
    let world = World::new().await;
    let shown = world.run("cat <<END\nline").await;
    assert!(shown.ends_with("line"), "{shown}");
    world.close().await;
}

#[tokio::test]
async fn a_command_of_64_kilobytes_arrives_whole() {
    let world = World::new().await;
    let long = "x".repeat(64 * 1024);
    assert_eq!(world.run(&format!("text='{long}'; echo ${{#text}}")).await, "65536");
    let lines = "true # é\n".repeat(8_000);
    assert_eq!(world.run(&format!("{lines}echo end")).await, "end");
    world.close().await;
}

#[tokio::test]
async fn what_is_no_text_is_made_readable() {
    let world = World::new().await;
    for (command, text) in [
        ("printf 'a\\0b'", "ab"),
        ("printf '\\377\\376ok\\303'", "\u{fffd}\u{fffd}ok\u{fffd}"),
        ("printf '\\033[31mred\\033[0m\\n'", "red"),
        ("printf '\\033]0;never ended'", ""),
        ("printf '\\033[1'", ""),
        ("printf 'one\\rtwo\\r\\n'", "one\ntwo"),
        ("printf '\\036not a marker\\036'", "\u{1e}not a marker\u{1e}"),
    ] {
        assert_eq!(world.run(command).await, text, "{command}");
    }
    world.close().await;
}

#[tokio::test]
async fn long_output_is_clipped_with_advice() {
    let world = World::with(Config { max_output_chars: 10, ..config(60_000) }, SandboxMode::DangerFullAccess).await;
    assert_eq!(world.run("printf '0123456789\\n'").await, "0123456789");
    let clipped = world.run("printf '0123456789x'; (exit 2)").await;
    assert!(clipped.starts_with("0123456789<response clipped><NOTE>The output is longer than 10 characters"), "{clipped}");
    assert!(clipped.ends_with("</NOTE>\n[exit code: 2]"), "{clipped}");
    // A character beyond the basic plane counts two and is not cut in half.
    let clipped = world.run("printf '012345678\u{1f600}'").await;
    assert!(clipped.starts_with("012345678<response clipped>"), "{clipped}");
    assert_eq!(world.run("printf '01234567\u{1f600}'").await, "01234567\u{1f600}");
    world.close().await;
}

#[tokio::test]
async fn much_output_is_read_fast() {
    let world = World::new().await;
    let start = Instant::now();
    let shown = world.run("yes 'a line of output that is about as long as lines are, or so' | head -c 7000000; echo; echo last").await;
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert!(shown.len() < 17_000 && shown.ends_with("</NOTE>"));
    world.close().await;
}

#[tokio::test]
async fn redirecting_the_shell_itself_keeps_it_usable() {
    let world = World::new().await;
    assert_eq!(world.run("exec 3>&1 >log 2>&1; echo hidden").await, "");
    assert_eq!(world.run("echo also hidden").await, "");
    assert_eq!(world.run("exec >&3 2>&3; cat log").await, "hidden\nalso hidden");
    assert_eq!(world.run("exec </dev/null; echo on").await, "on");
    world.close().await;
}

#[tokio::test]
async fn tracing_is_shown_without_the_wrapping() {
    let world = World::new().await;
    world.run("set -x").await;
    let shown = world.run("echo traced").await;
    assert!(shown.ends_with("+ echo traced\ntraced"), "{shown}");
    assert!(!shown.contains("printf"), "{shown}");
    world.close().await;
}

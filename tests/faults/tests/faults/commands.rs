//! Shell commands that print for ever, never end, fork away, read input, or print what is no text.

use std::time::Duration;

use dsh_product_tests::Place;
use dsh_testkit::{MockServer, Script, Step};

use crate::scene::{Scene, assert_completed, assert_told, results, run_in, shell};

/// The result of a command, and the scene after it.
async fn shown(scene: Scene) -> (Scene, String) {
    let mut scene = scene;
    let events = scene.turn("s", "go").await;
    assert_completed(&events);
    let shown = results(&events)[0].to_owned();
    (scene, shown)
}

/// Runs a command in a turn, and sees that the next one runs too.
async fn run(command: &str) -> String {
    let (mut scene, shown) = shown(Scene::start([shell(command), Step::text("done"), shell("echo on"), Step::text("done")]).await).await;
    assert_eq!(results(&scene.turn("s", "again").await), ["on"]);
    scene.close().await;
    shown
}

#[tokio::test]
async fn one_that_prints_for_ever_is_ended_and_shown_in_part() {
    let steps = [shell("yes long enough"), Step::text("done"), shell("echo on"), Step::text("done")];
    let (mut scene, shown) = shown(Scene::start_impatient(steps).await).await;
    assert_told(&shown, &["timed out after 1 seconds", "long enough\nlong enough\n", "<response clipped>", "was reset"]);
    assert!(shown.len() < 18_000, "{}", shown.len());
    assert_eq!(results(&scene.turn("s", "again").await), ["on"]);
    let (place, _) = scene.close().await;
    assert!(std::fs::metadata(place.log_path("s")).unwrap().len() < 100_000, "the log holds what was shown");
}

#[tokio::test]
async fn one_that_never_ends_is_ended_with_all_that_it_started() {
    let steps = [shell("sleep 300 & setsid sleep 300 & sleep 300"), Step::text("done")];
    let (scene, shown) = shown(Scene::start_impatient(steps).await).await;
    assert_told(&shown, &["timed out after 1 seconds", "was reset"]);
    assert!(!scene.place.processes().iter().any(|line| line.contains("sleep")), "{:?}", scene.place.processes());
    scene.close().await;
}

#[tokio::test]
async fn one_that_never_ends_is_ended_by_the_deadline_of_a_run() {
    let place = Place::new();
    let server = MockServer::start(Script::new([shell("yes")])).await;
    let ended = run_in(&place, &server.url(), &["--deadline", "1", "task"]).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (3, ""), "{}", ended.stderr);
    assert_told(&ended.stderr, &["the deadline of 1 s has passed"]);
    place.wait_until_nothing_runs().await;
    let [log] = &place.logs()[..] else { panic!("one log: {:?}", place.logs()) };
    let log = dsh_product_tests::Log::read(log);
    assert_eq!(log.kinds()[log.events.len() - 3..], ["tool/result", "step/end", "turn/end"]);
}

#[tokio::test]
async fn one_that_forks_away_does_not_hold_the_call_and_ends_with_the_session() {
    let command = "(setsid sleep 300 > /dev/null 2>&1 &); nohup sleep 300 > /dev/null 2>&1 & echo away";
    let (scene, shown) = shown(Scene::start([shell(command), Step::text("done")]).await).await;
    assert!(shown.ends_with("away"), "{shown}");
    scene.place.wait_until_runs("sleep 300").await;
    scene.close().await;
}

#[tokio::test]
async fn one_that_reads_input_finds_its_end() {
    assert_eq!(run("cat; read -r line; echo \"status $?\"").await, "status 1");
}

#[tokio::test]
async fn one_that_reads_the_terminal_is_interrupted_and_told() {
    let shown = run("head -c 1 < /dev/tty").await;
    assert_told(&shown, &["waited for input from a terminal"]);
}

#[tokio::test]
async fn one_that_prints_bytes_that_are_no_text_is_shown_as_text() {
    let shown = run(r"printf 'a\xff\xfeb\x00c\n'; printf '\xf0\x9f'; printf '\xc3\xa9\n'; head -c 20000 /dev/urandom").await;
    assert!(shown.starts_with("a\u{fffd}\u{fffd}bc\n\u{fffd}é\n"), "{:?}", &shown[..40.min(shown.len())]);
}

#[tokio::test]
async fn one_that_prints_escape_sequences_is_shown_without_them() {
    let shown = run(r"printf '\x1b[31mred\x1b[0m \x1b]0;title\x07plain \x1bPdata\x1b\\end\n\x1b[2J\x1b[?1049h'; printf 'a\rb\n'").await;
    assert_eq!(shown, "red plain end\na\nb");
}

#[tokio::test]
async fn one_that_imitates_the_end_of_a_command_ends_nothing() {
    let shown = run(r"printf '\x1e0000:0\x1e'; printf '\x1e%s:7\x1e\n' 'some-nonce'; sleep 0.1; echo after").await;
    assert!(shown.ends_with("after"), "{shown:?}");
}

#[tokio::test]
async fn one_that_ends_the_shell_or_closes_its_output_is_told() {
    let (mut scene, shown) = shown(
        Scene::start([
            shell("exit 7"),
            Step::text("done"),
            shell("exec >&- 2>&-; echo lost"),
            Step::text("done"),
            shell("echo on"),
            Step::text("done"),
        ])
        .await,
    )
    .await;
    assert_told(&shown, &["[shell exited: code 7]", "was reset"]);
    let events = tokio::time::timeout(Duration::from_secs(30), scene.turn("s", "again")).await.expect("it ends");
    assert_completed(&events);
    let events = scene.turn("s", "once more").await;
    assert_completed(&events);
    scene.close().await;
}

#[tokio::test]
async fn one_that_kills_its_shell_and_its_group_is_told() {
    let shown = run("kill -9 $$").await;
    assert_told(&shown, &["killed by signal", "was reset"]);
}

//! Environment variables that are blank, wrong or not Unicode.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use dsh_product_tests::{Client, Place, binary, run_to_end};
use dsh_testkit::{MockServer, Script, Step};

use crate::scene::{NOWHERE, assert_completed, assert_told};
use dsh_product_tests::events_of;

const OWN: [&str; 6] = ["DSH_MODEL", "DSH_CWD", "DSH_CONTEXT_WINDOW", "DSH_SYSTEM_PROMPT", "DSH_SESSION_ROOT", "DSH_LOG"];

#[tokio::test]
async fn a_blank_variable_is_as_one_that_is_not_set() {
    for blank in ["", " \t"] {
        let place = Place::new();
        let server = MockServer::start(Script::new([Step::text("done")])).await;
        let mut command = place.command(&binary("minimal"), &server.url());
        command.arg("run").arg("task").envs(OWN.map(|name| (name, blank)));
        let ended = run_to_end(command).await;
        assert_eq!((ended.status, ended.stdout.as_str()), (0, "done\n"), "{}", ended.stderr);
        let body = server.requests()[0].body();
        assert_eq!(body["model"], "deepseek-v4-flash");
        assert!(body["messages"][0]["content"].as_str().is_some_and(|prompt| prompt.contains("software engineer")), "{body}");
        let logs = place.files_beside_sessions();
        assert!(logs.len() == 2 && logs.iter().all(|path| path.starts_with("home/dsh/sessions")), "below the home: {logs:?}");
    }
}

#[tokio::test]
async fn a_value_that_cannot_be_used_is_told_by_its_name_and_not_shown() {
    let place = Place::new();
    for (words, status) in [(&["run", "task"][..], 5), (&[], 1)] {
        let mut command = place.command(&binary("minimal"), NOWHERE);
        command.args(words).env("DSH_CONTEXT_WINDOW", "hunter2").env("DSH_MODEL", OsStr::from_bytes(b"m\xff"));
        let ended = run_to_end(command).await;
        assert_eq!((ended.status, ended.stdout.as_str()), (status, ""), "{}", ended.stderr);
        let window = "`DSH_CONTEXT_WINDOW` is set, its value is not shown";
        assert_told(&ended.stderr, &["row `llm-deepseek`", window, "the filter `int`", "`DSH_MODEL` is not Unicode", "minimal.yml"]);
        assert!(!ended.stderr.contains("hunter2"), "{}", ended.stderr);
    }
    assert!(!place.sessions().exists());
}

#[tokio::test]
async fn an_unknown_level_of_diagnostics_is_told_and_passed_over() {
    let place = Place::new();
    let server = MockServer::start(Script::new([Step::text("done")])).await;
    let mut command = place.command(&binary("minimal"), &server.url());
    command.env("DSH_LOG", "everything");
    let mut client = Client::start(command);
    client.initialize(&place.workspace()).await;
    assert_completed(&events_of(&client.turn("s", "hello").await, "s"));
    let ended = client.close().await;
    assert_eq!(ended.status, 0);
    assert_told(&ended.stderr, &["DSH_LOG is none of error, warn, info, debug, trace"]);
}

#[tokio::test]
async fn the_most_talkative_diagnostics_hold_no_key_and_leave_stdout_alone() {
    let place = Place::new();
    let server =
        MockServer::start(Script::new([Step::status(401), Step::tool("bash", &serde_json::json!({ "command": "env" })), Step::text("x")]))
            .await;
    let mut command = place.command(&binary("minimal"), &server.url());
    command.env("DSH_LOG", "trace");
    let mut client = Client::start(command);
    client.initialize(&place.workspace()).await;
    client.turn("s", "hello").await;
    client.turn("s", "again").await;
    let ended = client.close().await;
    assert_eq!(ended.status, 0);
    assert!(ended.stderr.lines().count() > 10, "much is told: {}", ended.stderr);
}

//! Homes, session roots and workspaces that cannot be used.

use std::fs;

use dsh_product_tests::{Client, Ended, Place, binary, events_of, run_to_end};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::json;
use tokio::process::Command;

use crate::scene::{NOWHERE, Scene, assert_completed, assert_told, results, run_in, shell};
use crate::unprivileged::{self, Reachable, set_mode};

/// Sees that both ways in are refused before anything is done.
async fn assert_refused(command: impl Fn() -> Command, told: &[&str]) {
    for (words, status) in [(&["run", "task"][..], 5), (&[], 1)] {
        let mut command = command();
        command.args(words);
        let Ended { status: actual, stdout, stderr, .. } = run_to_end(command).await;
        assert_eq!((actual, stdout.as_str()), (status, ""), "{words:?}: {stderr}");
        assert_told(&stderr, told);
    }
}

#[tokio::test]
async fn a_session_root_that_is_a_file_or_below_one_is_refused_at_the_start() {
    let place = Place::new();
    fs::write(place.sessions(), "mine").unwrap();
    let root = place.sessions();
    for root in [root.clone(), root.join("deep/er")] {
        let start = || {
            let mut command = place.command(&binary("minimal"), NOWHERE);
            command.env("DSH_SESSION_ROOT", &root);
            command
        };
        assert_refused(start, &["row `sessions`", root.to_str().unwrap(), "is no folder", "name another folder"]).await;
    }
    assert_eq!(fs::read_to_string(place.sessions()).unwrap(), "mine");
}

#[tokio::test]
async fn a_home_that_is_a_file_is_refused_where_sessions_belong_below_it() {
    let place = Place::new();
    let home = place.workspace().join("home");
    fs::write(&home, "mine").unwrap();
    let start = || {
        let mut command = place.command(&binary("minimal"), NOWHERE);
        command.env_remove("DSH_SESSION_ROOT").env("DSH_HOME", &home);
        command
    };
    assert_refused(start, &["row `sessions`", home.to_str().unwrap(), "is no folder"]).await;
}

#[tokio::test]
async fn a_root_or_home_that_may_not_be_read_or_written_is_refused_at_the_start() {
    let binary = Reachable::minimal();
    for mode in [0o000, 0o555, 0o333] {
        for variable in ["DSH_SESSION_ROOT", "DSH_HOME"] {
            let place = Place::new();
            let folder = place.workspace().join("closed");
            fs::create_dir(&folder).unwrap();
            let start = || {
                let mut command = unprivileged::command(&place, &binary, NOWHERE);
                command.env_remove("DSH_SESSION_ROOT").env(variable, &folder);
                set_mode(&folder, mode);
                command
            };
            let root = if variable == "DSH_HOME" { folder.join("sessions") } else { folder.clone() };
            // Whether the home keeps an overlay cannot be found out where it may not be entered, which is told first.
            let is_closed = variable == "DSH_HOME" && mode & 0o111 == 0;
            let (who, path) = if is_closed { ("dsh.patch.yml", &folder) } else { ("row `sessions`", &root) };
            assert_refused(start, &[who, path.to_str().unwrap(), "Permission denied"]).await;
            set_mode(&folder, 0o755);
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing is made");
        }
    }
}

#[tokio::test]
async fn a_root_that_is_closed_later_refuses_new_sessions_and_keeps_old_ones() {
    let (place, binary) = (Place::new(), Reachable::minimal());
    let server = MockServer::start(Script::new([Step::text("one"), Step::text("two"), Step::text("three")])).await;
    let command = unprivileged::command(&place, &binary, &server.url());
    let mut scene = Scene::start_as(command, place, server).await;
    assert_completed(&scene.turn("old", "hello").await);
    let folder = scene.place.log_path("old").parent().unwrap().parent().unwrap().to_owned();
    set_mode(&folder, 0o555);
    let from = scene.client.seen.len();
    let params = json!({ "sessionId": "new", "contentBlocks": [{ "type": "text", "text": "hello" }] });
    let error = scene.client.request("session/prompt", &params).await.unwrap_err();
    assert_told(error["message"].as_str().unwrap(), &["cannot be written", folder.to_str().unwrap(), "Permission denied"]);
    assert!(!scene.client.seen[from..].iter().any(|frame| frame.kind() == "turn/start"), "nothing was begun");
    assert_completed(&scene.turn("old", "again").await);
    set_mode(&folder, 0o755);
    assert_completed(&scene.turn("new", "the id is free").await);
    scene.close().await;
}

#[tokio::test]
async fn a_log_that_is_removed_while_its_session_lives_is_told() {
    let mut scene = Scene::start([Step::text("one"), Step::text("two")]).await;
    assert_completed(&scene.turn("s", "hello").await);
    let log = scene.place.log_path("s");
    fs::remove_file(&log).unwrap();
    let params = json!({ "sessionId": "s", "contentBlocks": [{ "type": "text", "text": "again" }] });
    let error = scene.client.request("session/prompt", &params).await.unwrap_err();
    let told = ["the log was removed while its session was live", log.to_str().unwrap()];
    assert_told(error["message"].as_str().unwrap(), &told);
    let Scene { place, client, server } = scene;
    let ended = client.close().await;
    assert_eq!((ended.status, server.requests().len()), (0, 1));
    assert_told(&ended.stderr, &told);
    assert!(place.logs().is_empty(), "no half of a log is made in its place");
}

#[tokio::test]
async fn a_workspace_that_cannot_be_used_is_refused_by_run() {
    let place = Place::new();
    fs::write(place.workspace().join("file"), "").unwrap();
    for (folder, told) in [("there/is/none", "No such file"), ("file", "Not a directory")] {
        let ended = run_in(&place, NOWHERE, &["--workdir", folder, "task"]).await;
        assert_eq!((ended.status, ended.stdout.as_str()), (5, ""), "{}", ended.stderr);
        assert_told(&ended.stderr, &["the working directory cannot be used", folder, told]);
    }
    let binary = Reachable::minimal();
    let closed = place.workspace().join("closed");
    fs::create_dir(&closed).unwrap();
    let mut command = unprivileged::command(&place, &binary, NOWHERE);
    set_mode(&closed, 0o000);
    command.args(["run", "--workdir", "closed", "task"]);
    let ended = run_to_end(command).await;
    set_mode(&closed, 0o755);
    assert_eq!((ended.status, ended.stdout.as_str()), (5, ""), "{}", ended.stderr);
    assert_told(&ended.stderr, &["the working directory cannot be used", "closed", "Permission denied"]);
    assert!(!place.sessions().exists());
}

#[tokio::test]
async fn a_workspace_that_is_not_there_is_told_by_the_tools_that_need_it() {
    let place = Place::new();
    let server = MockServer::start(Script::new([shell("pwd"), Step::text("done")])).await;
    let mut client = Client::start(place.command(&binary("minimal"), &server.url()));
    let gone = place.workspace().join("gone");
    client.initialize(&gone).await;
    let events = events_of(&client.turn("s", "hello").await, "s");
    assert_completed(&events);
    assert_told(results(&events)[0], &["Error: ", gone.to_str().unwrap()]);
    assert_eq!(client.close().await.status, 0);
    assert!(!gone.exists());
}

#[tokio::test]
async fn a_workspace_that_may_not_be_written_stays_as_it_is() {
    let (place, binary) = (Place::new(), Reachable::minimal());
    let kept = place.workspace().join("kept.txt");
    fs::write(&kept, "one\n").unwrap();
    let editor = |arguments: serde_json::Value| Step::tool("str_replace_editor", &arguments);
    let steps = [
        editor(json!({ "command": "create", "path": place.workspace().join("new.txt"), "file_text": "x" })),
        editor(json!({ "command": "str_replace", "path": kept, "old_str": "one", "new_str": "two" })),
        shell("echo x > made.txt"),
        Step::text("done"),
    ];
    let server = MockServer::start(Script::new(steps)).await;
    let command = unprivileged::command(&place, &binary, &server.url());
    set_mode(&place.workspace(), 0o555);
    let mut scene = Scene::start_as(command, place, server).await;
    let events = scene.turn("s", "go").await;
    assert_completed(&events);
    for (result, told) in results(&events).into_iter().zip(["new.txt", "kept.txt", "made.txt"]) {
        assert_told(result, &[told, "ermission denied"]);
    }
    set_mode(&scene.place.workspace(), 0o755);
    let (place, _) = scene.close().await;
    assert_eq!(place.files_beside_sessions(), [std::path::Path::new("workspace/kept.txt")]);
    assert_eq!(fs::read_to_string(kept).unwrap(), "one\n");
}

#[tokio::test]
async fn a_folder_for_verdicts_that_cannot_be_made_is_refused_before_the_run() {
    let place = Place::new();
    fs::write(place.workspace().join("out"), "mine").unwrap();
    let ended = run_in(&place, NOWHERE, &["task", "--out", "out", "--run-id", "r", "--task-id", "t"]).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (5, ""), "{}", ended.stderr);
    assert_told(&ended.stderr, &["the folder of the run cannot be used", "out/r/t"]);
    assert!(!place.sessions().exists());
}

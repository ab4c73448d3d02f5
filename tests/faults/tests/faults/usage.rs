//! Wrong words on the command line.

use dsh_product_tests::{Ended, Place, binary, run_to_end};
use serde_json::json;

use crate::scene::{NOWHERE, assert_told, run_in};

async fn called(place: &Place, words: &[&str]) -> Ended {
    let mut command = place.command(&binary("minimal"), NOWHERE);
    command.args(words);
    run_to_end(command).await
}

/// Sees that words are refused as wrong usage before anything is done.
async fn assert_usage(words: &[&str], told: &[&str]) {
    let place = Place::new();
    let ended = called(&place, words).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{words:?}: {}", ended.stderr);
    assert_told(&ended.stderr, told);
    assert!(!place.sessions().exists() && place.files_beside_sessions().is_empty(), "nothing is made");
}

#[tokio::test]
async fn wrong_flags_are_named() {
    for (words, told) in [
        (&["--no-such-flag"][..], "--no-such-flag"),
        (&["--profile"], "--profile"),
        (&["--profile", ""], "--profile"),
        (&["--profile", "web"], "holds the profile `minimal`, not `web`"),
        (&["-x"], "-x"),
    ] {
        assert_usage(words, &[told]).await;
    }
}

#[tokio::test]
async fn an_overlay_that_is_not_there_is_named_and_nothing_starts() {
    for (words, status) in [(&["--patch", "x.yml"][..], 1), (&["--patch", "x.yml", "run", "task"], 5)] {
        let place = Place::new();
        let ended = called(&place, words).await;
        assert_eq!((ended.status, ended.stdout.as_str()), (status, ""), "{words:?}: {}", ended.stderr);
        assert_told(&ended.stderr, &["cannot read `x.yml`", "check the path"]);
        assert!(!place.sessions().exists() && place.files_beside_sessions().is_empty(), "nothing is made");
    }
}

#[tokio::test]
async fn wrong_verbs_are_named() {
    for (words, told) in [(&["walk"][..], "walk"), (&["RUN", "task"], "RUN"), (&["--", "run"], "run")] {
        assert_usage(words, &[told]).await;
    }
}

#[tokio::test]
async fn wrong_words_of_run_are_named() {
    for (words, told) in [
        (&["run", "--nope", "task"][..], "--nope"),
        (&["run", ""], "the task is blank"),
        (&["run", "--max-steps", "0", "task"], "--max-steps"),
        (&["run", "--max-steps", "18446744073709551616", "task"], "--max-steps"),
        (&["run", "--deadline", "-1", "task"], "-1"),
        (&["run", "--max-tokens", "many", "task"], "many"),
        (&["run", "--resume", "", "task"], "--resume"),
        (&["run", "--prompt-file", "there-is-none", "--workdir", "."], "there-is-none"),
        (&["run", "task", "--out", "out", "--run-id", "../../etc", "--task-id", "t"], "../../etc"),
    ] {
        assert_usage(words, &[told, "--help"]).await;
    }
}

#[tokio::test]
async fn a_task_that_cannot_be_read_is_told() {
    let place = Place::new();
    std::fs::write(place.workspace().join("binary"), b"\xff\xfe").unwrap();
    std::fs::write(place.workspace().join("blank"), "\n \n").unwrap();
    for (file, told) in [("binary", "not UTF-8"), ("blank", "blank"), (".", "directory")] {
        let ended = run_in(&place, NOWHERE, &["--prompt-file", file]).await;
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{file}: {}", ended.stderr);
        assert_told(&ended.stderr, &[told]);
    }
    assert!(!place.sessions().exists());
}

#[tokio::test]
async fn help_and_wrong_words_need_no_surroundings() {
    let place = Place::new();
    std::fs::write(place.sessions(), "a file where a folder belongs").unwrap();
    for (words, status) in [
        (&["run", "--help"][..], 0),
        (&["run", "task", "--help"], 0),
        (&["run", "--nope"], 2),
        (&["session", "--help"], 0),
        (&["session", "fork", "--help"], 0),
        (&["session", "lsit"], 2),
        (&["--help"], 0),
        (&["--version"], 0),
    ] {
        let mut command = place.command(&binary("minimal"), NOWHERE);
        command.args(words).env("DSH_CONTEXT_WINDOW", "much");
        let ended = run_to_end(command).await;
        assert_eq!(ended.status, status, "{words:?}: {}", ended.stderr);
        let help = if status == 0 { &ended.stdout } else { &ended.stderr };
        assert_told(help, &[if words[0].starts_with('-') { "dsh-minimal" } else { words[0] }]);
    }
}

#[tokio::test]
async fn a_run_folder_that_holds_another_run_is_not_taken() {
    let place = Place::new();
    let folder = place.workspace().join("out/r/t");
    std::fs::create_dir_all(&folder).unwrap();
    let words = ["task", "--out", "out", "--run-id", "r", "--task-id", "t"];
    for (begun, status, told) in [
        ("{".to_owned(), 5, "run.json"),
        (json!({ "version": 1, "sessionId": "s", "messageId": "m", "task": "other", "startedAt": 1 }).to_string(), 2, "another task"),
    ] {
        std::fs::write(folder.join("run.json"), &begun).unwrap();
        let ended = run_in(&place, NOWHERE, &words).await;
        assert_eq!((ended.status, ended.stdout.as_str()), (status, ""), "{}", ended.stderr);
        assert_told(&ended.stderr, &[told]);
        assert_eq!(std::fs::read_to_string(folder.join("run.json")).unwrap(), begun, "what is there stays");
    }
    assert!(!place.sessions().exists());
}

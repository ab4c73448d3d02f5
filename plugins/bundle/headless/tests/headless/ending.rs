//! Tasks that do not end well.

use std::time::Duration;

use dsh_message::LlmFailure;
use dsh_runtime::Exit;
use dsh_testkit::Reply;

use crate::world::{Kept, World};

#[tokio::test]
async fn a_reply_that_was_cut_off_is_printed_and_the_budget_is_spent() {
    let world = World::new([Reply::cut_off("half an ans")]).await;
    let ran = world.run(&["go"]).await;
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::BUDGET, "half an ans\n"));
    assert!(ran.stderr.starts_with("dsh: the reply was cut off at the ceiling of output tokens\nlog: "), "{}", ran.stderr);
}

#[tokio::test]
async fn a_failure_of_the_model_is_told_with_its_code() {
    for (code, exit) in [("AUTH", Exit::PROVIDER), ("MISSING_CREDENTIAL", Exit::ENVIRONMENT)] {
        let world = World::new([Reply::failure(LlmFailure::new(code, "no luck"))]).await;
        let ran = world.run(&["go"]).await;
        assert_eq!((ran.exit, ran.stdout.as_str()), (exit, ""), "{code}");
        assert!(ran.stderr.starts_with(&format!("dsh: {code}: no luck\nlog: ")), "{}", ran.stderr);
    }
}

#[tokio::test]
async fn a_run_without_an_answer_gave_up() {
    let world = World::new([Reply::text(" ")]).await;
    let ran = world.run(&["go"]).await;
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::GAVE_UP, ""));
    assert!(ran.stderr.contains("dsh: the model gave no answer\n"), "{}", ran.stderr);
}

#[tokio::test]
async fn wrong_words_are_wrong_usage() {
    let world = World::new([]).await;
    for words in [&[][..], &["  "], &["--nope"]] {
        let ran = world.run(words).await;
        assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::USAGE, ""), "{words:?}");
        assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
    }
    assert!(!world.root.exists());
}

#[tokio::test]
async fn a_directory_that_cannot_be_used_is_told() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let world = World::new([]).await;
    for path in ["/nowhere/at/all", file.path().to_str().unwrap()] {
        let ran = world.run(&["go", "--workdir", path]).await;
        assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::ENVIRONMENT, ""));
        assert!(ran.stderr.starts_with(&format!("dsh: the working directory cannot be used: {path}: ")), "{}", ran.stderr);
    }
}

#[tokio::test]
async fn a_run_that_is_interrupted_has_a_whole_record() {
    let world = World::new([Reply::unfinished("half")]).await;
    let (stdout, stderr) = (Kept::default(), Kept::default());
    let shutdown = world.harness.surroundings().shutdown.clone();
    let interrupt = async {
        while world.agents.list().is_empty() || world.agents.list()[0].session().open_step().is_none() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        shutdown.cancel();
    };
    let (exit, ()) = tokio::join!(world.run_on(&["go"], stdout.clone(), stderr.clone()), interrupt);
    assert_eq!((exit, stdout.text().as_str()), (Exit::GAVE_UP, ""));
    assert!(stderr.text().starts_with("dsh: interrupted\nlog: "), "{}", stderr.text());
    let (_, log) = world.log();
    assert!(log.lines().last().unwrap().contains(r#""reason":{"kind":"aborted","reason":{"kind":"user"}}"#), "{log}");
}

#[tokio::test(start_paused = true)]
async fn a_standard_error_that_nobody_reads_holds_nothing_up() {
    let world = World::new([Reply::tool("bash", &serde_json::json!({ "command": "ls" })), Reply::text("done")]).await;
    let (stderr, _unread) = tokio::io::duplex(1);
    let stdout = Kept::default();
    assert_eq!(world.run_on(&["go"], stdout.clone(), stderr).await, Exit::COMPLETED);
    assert_eq!(stdout.text(), "done\n");
}

#[tokio::test]
async fn a_record_that_cannot_be_written_is_told() {
    let world = World::new([Reply::text("done")]).await;
    std::fs::write(&world.root, "").unwrap();
    let ran = world.run(&["go"]).await;
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::ENVIRONMENT, "done\n"));
    assert!(ran.stderr.starts_with("dsh: the record of the run may be incomplete: the log of session "), "{}", ran.stderr);
}

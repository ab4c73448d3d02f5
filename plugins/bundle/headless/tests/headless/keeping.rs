//! Runs that keep their outcome, and what a second start makes of it.

use std::path::{Path, PathBuf};

use dsh_message::LlmFailure;
use dsh_runtime::Exit;
use dsh_testkit::Reply;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::world::World;

/// A place that outlives worlds.
struct Place {
    folder: TempDir,
    out: String,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out").to_str().unwrap().to_owned();
        Self { folder, out }
    }

    fn store(&self) -> PathBuf {
        self.folder.path().join("store")
    }

    fn run(&self) -> PathBuf {
        self.folder.path().join("out/r1/t1")
    }

    fn verdict(&self) -> Value {
        read(&self.run().join("verdict.json"))
    }

    fn words(&self) -> [&str; 9] {
        ["go", "--out", &self.out, "--run-id", "r1", "--task-id", "t1", "--workdir", "/"]
    }
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[tokio::test]
async fn the_verdict_holds_what_a_runner_asks_for() {
    let place = Place::new();
    let world = World::over(&place.store(), [Reply::tool("bash", &json!({})), Reply::text("done")]).await;
    let ran = world.run(&place.words()).await;
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::COMPLETED, "done\n"));
    let begun = read(&place.run().join("run.json"));
    let now = world.harness.surroundings().clock.now().0;
    let expected = json!({
        "version": 1, "runId": "r1", "taskId": "t1", "outcome": "completed", "exit": 0, "reason": null, "answer": "done",
        "sessionId": begun["sessionId"], "logPath": world.log().0, "steps": 2,
        "usage": { "inputTokens": 200, "outputTokens": 20 }, "totalTokens": 220, "startedAt": now, "endedAt": now,
        "sandbox": "workspace-write",
        "composition": { "profile": "test", "version": "0.0.0", "digest": "0123456789abcdef" },
    });
    assert_eq!(place.verdict(), expected);
    assert!(!place.run().join("verdict.json.unfinished").exists());
}

#[tokio::test]
async fn a_run_that_has_ended_is_told_again_without_the_model() {
    let place = Place::new();
    World::over(&place.store(), [Reply::text("done")]).await.run(&place.words()).await;
    let verdict = place.verdict();
    let world = World::over(&place.store(), []).await;
    let ran = world.run(&place.words()).await;
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::COMPLETED, "done\n"));

    // The process died between the end of the turn and the verdict.
    std::fs::remove_file(place.run().join("verdict.json")).unwrap();
    let ran = world.run(&place.words()).await;
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::COMPLETED, "done\n"));
    assert_eq!(place.verdict(), verdict);
    assert!(world.model.calls().is_empty());
}

#[tokio::test]
async fn an_interrupted_run_says_so_and_goes_on_at_a_second_start() {
    let place = Place::new();
    let replies = [Reply::tool("bash", &json!({})), Reply::unfinished("half")];
    let world = World::over(&place.store(), replies).await;
    let ran = world.run_interrupted(&place.words(), 15).await;
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit(143), ""));
    let first = place.verdict();
    assert_eq!((&first["outcome"], &first["exit"], &first["reason"]), (&json!("interrupted"), &json!(143), &json!("interrupted")));
    drop(world);

    let world = World::over(&place.store(), [Reply::text("done")]).await;
    let ran = world.run(&place.words()).await;
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::COMPLETED, "done\n"), "{}", ran.stderr);
    let second = place.verdict();
    assert_eq!((&second["sessionId"], &second["outcome"]), (&first["sessionId"], &json!("completed")));
    assert_eq!(second["steps"], json!(first["steps"].as_u64().unwrap() + 1), "the steps of the whole run count");
    assert!(world.log().1.contains("The run was interrupted at this point"));
}

#[tokio::test]
async fn a_run_whose_session_never_began_is_given_its_task() {
    let place = Place::new();
    World::over(&place.store(), [Reply::text("done")]).await.run(&place.words()).await;
    std::fs::remove_file(place.run().join("verdict.json")).unwrap();
    std::fs::remove_dir_all(place.store()).unwrap();
    let world = World::over(&place.store(), [Reply::text("again")]).await;
    let ran = world.run(&place.words()).await;
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::COMPLETED, "again\n"), "{}", ran.stderr);
    assert!(!world.log().1.contains("The run was interrupted"));
}

#[tokio::test]
async fn a_failed_provider_leaves_the_run_open_and_a_spent_budget_does_not() {
    let place = Place::new();
    let failure = Reply::failure(LlmFailure::new("AUTH", "no luck"));
    let world = World::over(&place.store(), [failure, Reply::tool("bash", &json!({}))]).await;
    assert_eq!(world.run(&place.words()).await.exit, Exit::PROVIDER);
    assert_eq!((&place.verdict()["outcome"], &place.verdict()["exit"]), (&json!("provider"), &json!(4)));
    let bounded = [place.words().as_slice(), &["--max-steps=2"]].concat();
    for _ in 0..2 {
        let ran = world.run(&bounded).await;
        assert_eq!(ran.exit, Exit::BUDGET, "{}", ran.stderr);
        assert!(ran.stderr.contains("dsh: the budget of steps is spent: 2 of 2\n"), "{}", ran.stderr);
    }
    assert_eq!(world.model.calls().len(), 2);
}

#[tokio::test]
async fn a_run_that_cannot_be_taken_up_is_refused() {
    let place = Place::new();
    let world = World::over(&place.store(), [Reply::text("done")]).await;
    world.run(&place.words()).await;
    let other = [&["other"], &place.words()[1..]].concat();
    let ran = world.run(&other).await;
    assert_eq!((ran.exit, ran.stderr.as_str()), (Exit::USAGE, "dsh: the run has another task; give it another name\n"));

    let lock = std::fs::File::open(place.run().join("run.lock")).unwrap();
    lock.lock().unwrap();
    let ran = world.run(&place.words()).await;
    assert_eq!(ran.exit, Exit::ENVIRONMENT);
    assert!(ran.stderr.starts_with("dsh: the run is under way in another process: "), "{}", ran.stderr);
}

#[tokio::test]
async fn a_start_that_fails_has_a_verdict() {
    let place = Place::new();
    let world = World::over(&place.store(), []).await;
    let words = [&place.words()[..8], &["/nowhere"]].concat();
    assert_eq!(world.run(&words).await.exit, Exit::ENVIRONMENT);
    let verdict = place.verdict();
    assert_eq!((&verdict["outcome"], &verdict["exit"], &verdict["logPath"]), (&json!("environment"), &json!(5), &Value::Null));
}

//! Runs that end because something is spent, and what is said of it.

use dsh_runtime::Exit;
use dsh_testkit::Reply;
use serde_json::json;

use crate::world::World;

fn call() -> Reply {
    Reply::tool("bash", &json!({ "command": "ls" }))
}

#[tokio::test]
async fn steps_are_bounded_between_steps() {
    let world = World::new([call(), call(), Reply::text("done")]).await;
    let ran = world.run(&["go", "--max-steps", "2"]).await;
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::BUDGET, ""));
    assert!(ran.stderr.contains("dsh: the budget of steps is spent: 2 of 2\nlog: "), "{}", ran.stderr);
    assert_eq!(world.model.calls().len(), 2);
    let (_, log) = world.log();
    assert_eq!(log.matches(r#""type":"tool/result""#).count(), 2, "no step is cut off");
    let end = r#""reason":{"kind":"aborted","reason":{"kind":"hook","reason":"the budget of steps is spent: 2 of 2"}}"#;
    assert!(log.lines().last().unwrap().contains(end), "{log}");
}

#[tokio::test]
async fn a_run_that_ends_within_its_budget_is_complete() {
    let world = World::new([call(), Reply::text("done")]).await;
    let ran = world.run(&["go", "--max-steps", "2", "--max-tokens", "1"]).await;
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::BUDGET, ""), "a reply of the script uses 110 tokens");
    let world = World::new([call(), Reply::text("done")]).await;
    let ran = world.run(&["go", "--max-steps", "2", "--max-tokens", "111"]).await;
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::COMPLETED, "done\n"));
}

#[tokio::test]
async fn tokens_are_bounded_between_steps() {
    let world = World::new([call(), call(), Reply::text("done")]).await;
    let ran = world.run(&["go", "--max-tokens", "111"]).await;
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::BUDGET, ""));
    assert!(ran.stderr.contains("dsh: the budget of tokens is spent: 220 of 111\n"), "{}", ran.stderr);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_gives_the_run_up_with_a_whole_record() {
    let world = World::new([Reply::unfinished("half")]).await;
    let ran = world.run(&["go", "--deadline", "3"]).await;
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::BUDGET, ""));
    assert!(ran.stderr.starts_with("dsh: the deadline of 3 s has passed\nlog: "), "{}", ran.stderr);
    let (_, log) = world.log();
    assert!(log.lines().last().unwrap().contains(r#""type":"turn/end""#), "{log}");
}

#[tokio::test]
async fn a_quiet_run_tells_failures_alone() {
    let world = World::new([call(), Reply::text("done"), call()]).await;
    let ran = world.run(&["go", "--quiet"]).await;
    assert_eq!((ran.exit, ran.stdout.as_str(), ran.stderr.as_str()), (Exit::COMPLETED, "done\n", ""));
    let ran = world.run(&["go", "--quiet", "--max-steps=1"]).await;
    assert_eq!((ran.exit, ran.stdout.as_str(), ran.stderr.as_str()), (Exit::BUDGET, "", "dsh: the budget of steps is spent: 1 of 1\n"));
}

//! Where the task comes from, and sessions that go on.

use dsh_runtime::Exit;
use dsh_testkit::Reply;

use crate::world::World;

#[tokio::test]
async fn the_task_is_read_from_a_file_or_from_standard_input() {
    let world = World::new([]).await;
    std::fs::write(world.harness.folder().join("task.md"), "fix\nit\r\n\n").unwrap();
    for (words, stdin) in [(&["--prompt-file", "task.md"][..], "no"), (&["-"], "fix\nit\n"), (&[], "fix\nit")] {
        world.model.push(Reply::text("done"));
        let ran = world.run_fed(words, stdin).await;
        assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::COMPLETED, "done\n"), "{}", ran.stderr);
        let path = ran.stderr.strip_prefix("log: ").unwrap().trim_end();
        let log = std::fs::read_to_string(path).unwrap();
        assert!(log.contains(r#""content":[{"type":"text","text":"fix\nit"}],"source":{"kind":"user"}"#), "{log}");
    }
}

#[tokio::test]
async fn a_task_that_cannot_be_read_is_wrong_usage() {
    let world = World::new([]).await;
    std::fs::write(world.harness.folder().join("bytes"), [0xff]).unwrap();
    for (words, said) in [
        (&["--prompt-file", "none"][..], "the task cannot be read: "),
        (&["--prompt-file", "bytes"], "the task is not UTF-8"),
        (&["-"], "the task is blank"),
        (&[], "the task is blank"),
    ] {
        let ran = world.run_fed(words, " \n").await;
        assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::USAGE, ""), "{words:?}");
        assert!(ran.stderr.starts_with(&format!("error: {said}")), "{}", ran.stderr);
    }
}

#[tokio::test]
async fn a_stored_session_goes_on() {
    let world = World::new([Reply::text("one"), Reply::text("two")]).await;
    world.run(&["first"]).await;
    let (path, _) = world.log();
    let session = path.parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
    let ran = world.run(&["second", "--resume", &session, "--max-steps", "1"]).await;
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::COMPLETED, "two\n"), "{}", ran.stderr);
    let (same, log) = world.log();
    assert_eq!(same, path);
    assert!(log.contains("\"first\"") && log.contains("\"second\""), "{log}");

    let ran = world.run(&["third", "--resume", "nobody"]).await;
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::ENVIRONMENT, ""));
    assert_eq!(ran.stderr, "dsh: session \"nobody\" not found\n");
}

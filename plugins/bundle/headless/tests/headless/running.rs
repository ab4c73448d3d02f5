//! Tasks that end well.

use dsh_message::{ContentBlock, FinishReason, StreamChunk};
use dsh_runtime::Exit;
use dsh_testkit::Reply;
use serde_json::json;

use crate::world::World;

#[tokio::test]
async fn the_answer_alone_is_on_standard_output() {
    let world = World::new([Reply::text("It is \u{1b}[1mdone\u{1b}[0m.")]).await;
    let ran = world.run(&["fix", "the bug"]).await;
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::COMPLETED, "It is \u{1b}[1mdone\u{1b}[0m.\n"));
    let (path, log) = world.log();
    assert_eq!(ran.stderr, format!("log: {}\n", path.display()));
    assert!(log.contains(r#""content":[{"type":"text","text":"fix the bug"}],"source":{"kind":"user"}"#), "{log}");
    assert!(log.lines().last().unwrap().contains(r#""reason":{"kind":"completed"}"#), "{log}");
    assert!(world.agents.list().is_empty(), "the agent is disposed");
}

/// A reply of whole blocks that ends with tool calls.
fn reply(blocks: impl IntoIterator<Item = ContentBlock>) -> Reply {
    let mut chunks = Vec::new();
    for (index, block) in (0..).zip(blocks) {
        chunks.push(StreamChunk::BlockStart { index, block_type: block.type_name() });
        chunks.push(StreamChunk::BlockEnd { index, block });
    }
    chunks.push(StreamChunk::Finish { reason: FinishReason::ToolCalls, replay_state: None });
    Reply::chunks(chunks)
}

#[tokio::test]
async fn steps_are_shown_on_standard_error() {
    let call =
        |id: &str, name: &str, arguments: &str| ContentBlock::ToolCall { id: id.into(), name: name.into(), arguments: arguments.into() };
    let blocks =
        [ContentBlock::text("I look first."), call("c1", "bash", r#"{"command":"ls -l\nwc"}"#), call("c2", "edit", r#"{"path":"a.txt"}"#)];
    let world = World::new([reply(blocks), Reply::text("done")]).await;
    let ran = world.run(&["go"]).await;
    assert_eq!((ran.exit, ran.stdout.as_str()), (Exit::COMPLETED, "done\n"));
    let (path, _) = world.log();
    let expected = format!(
        "I look first.\nbash $ ls -l\n       wc\n  ! Error: unknown tool \"bash\"\nedit path=\"a.txt\"\n  ! Error: unknown tool \"edit\"\nlog: {}\n",
        path.display()
    );
    assert_eq!(ran.stderr, expected);
}

#[tokio::test]
async fn the_directory_is_an_option_else_the_environment_else_the_process() {
    let elsewhere = tempfile::tempdir().unwrap();
    let elsewhere = elsewhere.path().canonicalize().unwrap();
    let named = elsewhere.to_str().unwrap();
    let cwd = |world: &World| {
        let header = world.log().1.lines().next().unwrap().to_owned();
        serde_json::from_str::<serde_json::Value>(&header).unwrap()["cwd"].clone()
    };

    let world = World::new([Reply::text("done")]).await;
    world.run(&["go"]).await;
    assert_eq!(cwd(&world), json!(world.harness.folder().canonicalize().unwrap()));

    let world = World::with_environment([("DSH_CWD", named)], [Reply::text("done")]).await;
    world.run(&["go"]).await;
    assert_eq!(cwd(&world), json!(named));

    let world = World::with_environment([("DSH_CWD", "/nowhere")], [Reply::text("done")]).await;
    world.run(&["go", "--workdir", &format!("{named}/.")]).await;
    assert_eq!(cwd(&world), json!(named));
}

#[tokio::test]
async fn help_is_printed_on_request() {
    let world = World::new([]).await;
    let ran = world.run(&["--help"]).await;
    assert_eq!((ran.exit, ran.stderr.as_str()), (Exit::COMPLETED, ""));
    assert!(ran.stdout.contains("Usage: run [OPTIONS] [TASK]..."), "{}", ran.stdout);
}

//! What a program reads with `--json`.

use dsh_message::{ContentBlock, FinishReason, LlmFailure, StreamChunk};
use dsh_runtime::Exit;
use dsh_testkit::Reply;
use serde_json::{Value, json};

use crate::world::World;

fn lines(stdout: &str) -> Vec<Value> {
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn every_part_of_a_run_is_a_record() {
    let thought = vec![
        StreamChunk::BlockStart { index: 0, block_type: "reasoning".to_owned() },
        StreamChunk::BlockEnd { index: 0, block: ContentBlock::Reasoning("hm".into()) },
        StreamChunk::BlockStart { index: 1, block_type: "text".to_owned() },
        StreamChunk::BlockEnd { index: 1, block: ContentBlock::text("done") },
        StreamChunk::Finish { reason: FinishReason::Stop, replay_state: None },
    ];
    let world = World::new([Reply::tool("bash", &json!({ "command": "ls", "deep": [1] })), Reply::chunks(thought)]).await;
    let ran = world.run(&["go", "--json"]).await;
    assert_eq!(ran.exit, Exit::COMPLETED);
    let (path, _) = world.log();
    assert_eq!(ran.stderr, format!("log: {}\n", path.display()));
    let session = path.parent().unwrap().file_name().unwrap().to_str().unwrap();
    let expected = json!([
        { "type": "session", "sessionId": session, "cwd": world.harness.folder().canonicalize().unwrap() },
        { "type": "status", "phase": "turn_start", "turn": 1 },
        { "type": "status", "phase": "step_start", "turn": 1, "step": 1 },
        { "type": "tool_call", "callId": "call_1", "tool": "bash", "input": { "command": "ls", "deep": [1] } },
        { "type": "tool_result", "callId": "call_1", "status": "error", "result": "Error: unknown tool \"bash\"" },
        { "type": "status", "phase": "step_end", "turn": 1, "step": 1, "usage": { "inputTokens": 100, "outputTokens": 10 } },
        { "type": "status", "phase": "step_start", "turn": 1, "step": 2 },
        { "type": "thinking", "text": "hm" },
        { "type": "text", "text": "done" },
        { "type": "status", "phase": "step_end", "turn": 1, "step": 2 },
        { "type": "status", "phase": "turn_end", "turn": 1, "reason": { "kind": "completed" } },
        { "type": "final", "text": "done" },
    ]);
    assert_eq!(Value::Array(lines(&ran.stdout)), expected);
}

#[tokio::test]
async fn long_records_are_cut_and_the_answer_is_not() {
    let long = "x".repeat(1 << 20);
    let world = World::new([Reply::tool("bash", &json!({ "command": long })), Reply::text(long.as_str())]).await;
    let ran = world.run(&["go", "--json", "--quiet"]).await;
    let records = lines(&ran.stdout);
    let of = |kind: &str| records.iter().find(|record| record["type"] == kind).unwrap();
    for (kind, member) in [("tool_call", &of("tool_call")["input"]["command"]), ("text", &of("text")["text"])] {
        assert_eq!((member.as_str().unwrap().len(), &of(kind)["truncated"]), (8192, &json!(true)), "{kind}");
    }
    assert_eq!(of("final")["text"], json!(long));
    assert!(ran.stdout.lines().filter(|line| !line.contains("\"final\"")).all(|line| line.len() < 32_768));
}

#[tokio::test]
async fn what_went_wrong_is_a_record_and_told() {
    let world = World::new([Reply::failure(LlmFailure::new("AUTH", "no luck"))]).await;
    let ran = world.run(&["go", "--json"]).await;
    assert_eq!(ran.exit, Exit::PROVIDER);
    assert_eq!(lines(&ran.stdout).last().unwrap(), &json!({ "type": "error", "message": "AUTH: no luck" }));
    assert!(ran.stderr.starts_with("dsh: AUTH: no luck\nlog: "), "{}", ran.stderr);

    let ran = world.run(&["go", "--json", "--workdir", "/nowhere"]).await;
    assert_eq!(ran.exit, Exit::ENVIRONMENT);
    assert!(matches!(lines(&ran.stdout).as_slice(), [record] if record["type"] == "error"), "{}", ran.stdout);
}

#[tokio::test]
async fn a_reader_that_went_away_is_told_and_the_record_is_whole() {
    let world = World::new([Reply::text("done")]).await;
    let (stdout, gone) = tokio::io::duplex(1);
    drop(gone);
    let stderr = crate::world::Kept::default();
    assert_eq!(world.run_on(&["go", "--json"], stdout, stderr.clone()).await, Exit::ENVIRONMENT);
    assert!(stderr.text().starts_with("dsh: the records of the run were not printed: "), "{}", stderr.text());
    assert!(world.log().1.lines().last().unwrap().contains(r#""reason":{"kind":"completed"}"#));
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_stalls_holds_the_run_up_until_its_deadline() {
    let steps = 300;
    let call = || Reply::tool("bash", &json!({ "command": "ls" }));
    let world = World::new(std::iter::repeat_with(call).take(steps).chain([Reply::text("done")])).await;
    let (stdout, _unread) = tokio::io::duplex(1);
    let stderr = crate::world::Kept::default();
    assert_eq!(world.run_on(&["go", "--json", "--deadline", "60"], stdout, stderr.clone()).await, Exit::BUDGET);
    assert!(world.model.calls().len() < steps, "it waited between steps: nothing is left out");
    let told = "dsh: the deadline of 60 s has passed\ndsh: the records of the run were not printed: standard output was not read in time\n";
    assert!(stderr.text().starts_with(told), "{}", stderr.text());
    assert!(world.log().1.lines().last().unwrap().contains(r#""type":"turn/end""#));
}

#[tokio::test]
async fn a_slow_reader_gets_every_record() {
    let call = || Reply::tool("bash", &json!({ "command": "ls" }));
    let world = World::new(std::iter::repeat_with(call).take(300).chain([Reply::text("done")])).await;
    let (stdout, mut slow) = tokio::io::duplex(64);
    let reading = async {
        let mut read = String::new();
        tokio::io::AsyncReadExt::read_to_string(&mut slow, &mut read).await.unwrap();
        read
    };
    let (exit, read) = tokio::join!(world.run_on(&["go", "--json", "--quiet"], stdout, tokio::io::sink()), reading);
    assert_eq!(exit, Exit::COMPLETED);
    let records = lines(&read);
    assert_eq!(records.iter().filter(|record| record["type"] == "tool_result").count(), 300);
    assert_eq!(records.last().unwrap(), &json!({ "type": "final", "text": "done" }));
}

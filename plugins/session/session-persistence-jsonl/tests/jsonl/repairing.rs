//! Logs whose writer died in the middle of a turn.

use crate::world::{NOW, World, header, lines, put, turn};

/// A turn with two requested calls, of which the first was recorded.
fn interrupted() -> String {
    let block = |id: &str| format!("{{\"type\":\"tool-call\",\"id\":\"{id}\",\"name\":\"ls\",\"arguments\":\"{{}}\"}}");
    turn(0, 1)
        + &format!("{{\"type\":\"turn/start\",\"seq\":4,\"time\":{NOW},\"data\":{{\"turn\":2}}}}\n")
        + &format!("{{\"type\":\"step/start\",\"seq\":5,\"time\":{NOW},\"data\":{{\"turn\":2,\"step\":1}}}}\n")
        + &format!(
            "{{\"type\":\"assistant/message\",\"seq\":6,\"time\":{NOW},\"data\":{{\"turn\":2,\"step\":1,\"message\":{{\"role\":\"assistant\",\
             \"content\":[{},{}],\"source\":{{\"kind\":\"model\",\"provider\":\"p\",\"model\":\"m\"}},\"id\":\"m1\"}}}},\
             \"sourceEventSeqs\":[],\"surfaceOp\":\"append\"}}\n",
            block("c1"),
            block("c2")
        )
        + "{\"type\":\"tool/call\",\"seq\":7,\"time\":1790000000009,\"data\":{\"turn\":2,\"step\":1,\"callId\":\"c1\",\"name\":\"ls\",\
             \"arguments\":\"{}\"}}\n"
}

#[tokio::test]
async fn what_was_open_is_closed_in_the_file_and_in_the_result() {
    let root = tempfile::tempdir().unwrap();
    let log = header("s") + &interrupted();
    let path = put(root.path(), "s", log.clone() + "{\"type\":\"tool/res");
    let world = World::at(root.path()).await;
    let loaded = lines(&world.load("s").await.unwrap());
    let after = std::fs::read_to_string(&path).unwrap();
    assert!(after.starts_with(&log), "{after}");
    let closers: Vec<&str> = after[log.len()..].lines().collect();
    let start = |seq: u64, call: &str| {
        format!(
            "{{\"type\":\"tool/result\",\"seq\":{seq},\"time\":1790000000009,\"data\":{{\"turn\":2,\"step\":1,\"message\":\
             {{\"id\":\"interrupted-tool-result-{call}-{seq}\",\"role\":\"user\",\"source\":{{\"kind\":\"tool\",\"callId\":\"{call}\"}},\
             \"content\":[{{\"type\":\"tool-result\",\"toolCallId\":\"{call}\",\"isError\":true,\"content\":[{{\"type\":\"text\",\"text\":\""
        )
    };
    let unknown = "\"error\":{\"name\":\"ToolOutcomeUnknownError\",\"code\":\"TOOL_OUTCOME_UNKNOWN\"}},\"surfaceOp\":\"append\",\"sourceEventSeqs\":[7]}";
    let unstarted = "\"error\":{\"name\":\"ToolNotStartedError\",\"code\":\"TOOL_NOT_STARTED\"}},\"surfaceOp\":\"append\"}";
    assert!(closers[0].starts_with(&start(8, "c1")) && closers[0].ends_with(unknown), "{}", closers[0]);
    assert!(closers[1].starts_with(&start(9, "c2")) && closers[1].ends_with(unstarted), "{}", closers[1]);
    assert_eq!(
        closers[2..],
        [
            "{\"type\":\"step/end\",\"seq\":10,\"time\":1790000000009,\"data\":{\"turn\":2,\"step\":1}}",
            "{\"type\":\"turn/end\",\"seq\":11,\"time\":1790000000009,\"data\":{\"turn\":2,\"reason\":{\"kind\":\"interrupted\"}}}",
        ]
    );
    assert_eq!(loaded.lines().count(), 12);
    // The second time there is nothing to repair.
    assert_eq!(lines(&world.load("s").await.unwrap()), loaded);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), after);
}

#[tokio::test]
async fn an_unanswered_call_of_a_step_that_ended_stays_unanswered() {
    let root = tempfile::tempdir().unwrap();
    let log =
        header("s") + &interrupted() + &format!("{{\"type\":\"step/end\",\"seq\":8,\"time\":{NOW},\"data\":{{\"turn\":2,\"step\":1}}}}\n");
    let path = put(root.path(), "s", &log);
    World::at(root.path()).await.load("s").await.unwrap();
    let closer =
        format!("{{\"type\":\"turn/end\",\"seq\":9,\"time\":{NOW},\"data\":{{\"turn\":2,\"reason\":{{\"kind\":\"interrupted\"}}}}}}\n");
    assert_eq!(std::fs::read_to_string(path).unwrap(), log + &closer);
}

#[tokio::test]
async fn what_a_killed_writer_left_beside_the_log_is_removed_and_nothing_else() {
    let root = tempfile::tempdir().unwrap();
    let folder = put(root.path(), "s", header("s") + &turn(0, 1)).parent().unwrap().to_owned();
    let names = ["session.jsonl.0123456789ab.tmp", "session.jsonl.notes.tmp", "notes.0123456789ab.tmp", "session.jsonl.0123456789ab"];
    names.iter().for_each(|name| std::fs::write(folder.join(name), "x").unwrap());
    let world = World::at(root.path()).await;
    world.load("s").await.unwrap();
    let left: Vec<&str> = names.into_iter().filter(|name| folder.join(name).exists()).collect();
    assert_eq!(left, names[1..]);
}

//! Logs whose end is missing or broken: what is kept, what is cut off, and what is damage that nothing is done to.

use dsh_session_persistence::PersistenceError;

use crate::world::{NOW, World, header, lines, put, turn};

/// Loads a log and yields its events as lines, or its error; then the bytes of the file.
async fn load(log: &str) -> (Result<String, String>, String) {
    let root = tempfile::tempdir().unwrap();
    let path = put(root.path(), "s", log);
    let world = World::at(root.path()).await;
    let loaded = world.load("s").await.map(|stored| lines(&stored));
    let error = |error: PersistenceError| {
        assert!(matches!(error, PersistenceError::Corrupt { .. }), "{error}");
        error.to_string().replace(&path.display().to_string(), "LOG")
    };
    (loaded.map_err(error), std::fs::read_to_string(&path).unwrap())
}

fn start(seq: u64, turn: u64) -> String {
    format!("{{\"type\":\"turn/start\",\"seq\":{seq},\"time\":{NOW},\"data\":{{\"turn\":{turn}}}}}\n")
}

#[tokio::test]
async fn a_broken_end_is_cut_off() {
    let good = header("s") + &turn(0, 1);
    let row = |seq0: u64, dt: &str| {
        format!(
            "{{\"type\":\"text-chunks\",\"seq0\":{seq0},\"time0\":1,\"data\":{{\"turn\":2,\"step\":1,\"index\":0,\"dt\":{dt},\"texts\":[\"a\",\"b\"]}}}}\n"
        )
    };
    for (reason, end) in [
        ("no line end", start(4, 2).trim_end().to_owned()),
        ("half a line", start(4, 2)[..20].to_owned()),
        ("a complete turn end without a line end", turn(4, 2).lines().last().unwrap().to_owned()),
        ("no JSON", "{\"type\":\n".to_owned()),
        ("bytes of a lost block", "\0\0\0\n".to_owned()),
        ("an empty line", "\n".to_owned()),
        ("a gap", start(5, 2)),
        ("a repetition", start(3, 2)),
        ("a gap with more lines", start(5, 2) + &start(6, 2)),
        ("no number", "{\"type\":\"turn/start\",\"time\":1,\"data\":{\"turn\":2}}\n".to_owned()),
        ("a row with too few gaps", row(4, "[]")),
        ("a row that begins too late", row(5, "[1]")),
        ("a row with a fraction", row(4, "[0.5]")),
    ] {
        let (loaded, after) = load(&(good.clone() + &end)).await;
        assert_eq!(loaded.as_deref(), Ok(turn(0, 1).as_str()), "{reason}");
        assert_eq!(after, good, "{reason}");
    }
}

#[tokio::test]
async fn a_broken_line_before_a_later_turn_end_is_damage() {
    let good = header("s") + &turn(0, 1);
    let at = good.len();
    for (reason, broken, words) in [
        ("no JSON", "{\"type\":\n".to_owned() + &turn(4, 2), "EOF while parsing"),
        ("a gap", turn(5, 2), "event 5 stands where event 4 belongs"),
        ("a row", "{\"type\":\"text-chunks\"}\n".to_owned() + &turn(4, 2), "missing field"),
    ] {
        let log = good.clone() + &broken;
        let (loaded, after) = load(&log).await;
        let error = loaded.unwrap_err();
        assert!(error.starts_with(&format!("the stored log of session \"s\" is corrupt: the line at byte {at}: ")), "{reason}: {error}");
        assert!(error.contains(words) && error.ends_with("a turn ends after it: LOG"), "{reason}: {error}");
        assert_eq!(after, log, "{reason}");
    }
}

#[tokio::test]
async fn a_whole_log_is_not_touched() {
    let log = header("s") + &turn(0, 1) + &turn(4, 2);
    let (loaded, after) = load(&log).await;
    assert_eq!(loaded, Ok(turn(0, 1) + &turn(4, 2)));
    assert_eq!(after, log);
}

#[tokio::test]
async fn rows_of_one_and_two_members_are_read() {
    let rows = "{\"type\":\"reasoning-chunks\",\"seq0\":2,\"time0\":5,\"data\":{\"turn\":1,\"step\":1,\"index\":0,\"dt\":[],\"texts\":[\"a\"]}}\n\
                {\"type\":\"tool-call-chunks\",\"seq0\":3,\"time0\":9,\"data\":{\"turn\":1,\"step\":1,\"index\":1,\"dt\":[-2],\"id\":\"c\",\"name\":\"n\",\"args\":[\"\",\"{\"]}}\n";
    let turn = turn(0, 1);
    let (open, closed) = turn.split_at(turn.match_indices('\n').nth(1).unwrap().0 + 1);
    let closed = closed.replace("\"seq\":2", "\"seq\":5").replace("\"seq\":3", "\"seq\":6");
    let (loaded, _) = load(&(header("s") + open + rows + &closed)).await;
    let chunk = |seq: u64, time: i64, chunk: &str| {
        format!("{{\"type\":\"assistant/chunk\",\"seq\":{seq},\"time\":{time},\"data\":{{\"turn\":1,\"step\":1,\"chunk\":{{{chunk}}}}}}}\n")
    };
    let expected = open.to_owned()
        + &chunk(2, 5, r#""type":"reasoning-delta","index":0,"text":"a""#)
        + &chunk(3, 9, r#""type":"tool-call-delta","index":1,"id":"c","name":"n","argumentsDelta":"""#)
        + &chunk(4, 7, r#""type":"tool-call-delta","index":1,"id":"c","name":"n","argumentsDelta":"{""#)
        + &closed;
    assert_eq!(loaded, Ok(expected));
}

#[tokio::test]
async fn a_log_without_a_complete_header_is_damaged() {
    let (loaded, _) = load(header("s").trim_end()).await;
    assert!(loaded.unwrap_err().contains("it has no complete header line"));
    let (loaded, _) = load("").await;
    assert!(loaded.unwrap_err().contains("it has no complete header line"));
}

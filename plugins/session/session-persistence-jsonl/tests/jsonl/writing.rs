//! What lies on the disk after a session wrote.

use std::os::unix::fs::PermissionsExt;
use std::sync::{Arc, Mutex};

use dsh_json::JsString;
use dsh_message::{ContentBlock, Message, MessageSource, SessionId};
use dsh_runtime::{PluginContext, Position, Surroundings};
use dsh_session::catalogue::{EndSeed, StepStart, TurnEnd, TurnEndReason, TurnStart, UserMessage};
use dsh_session::{Appended, NewSession, Origin, SurfaceOp};
use dsh_session_persistence::SessionPersistence;

use crate::world::{NOW, World, config, header, mounted};

#[tokio::test]
async fn every_event_is_a_line_after_the_header() {
    let root = tempfile::tempdir().unwrap();
    let world = World::at(root.path()).await;
    let session = world.create("s1").unwrap();
    session.append(&TurnStart { turn: 1 }).unwrap();
    world.clock.advance(7);
    session.append(&StepStart { turn: 1, step: 1 }).unwrap();
    let half: JsString = serde_json::from_str(r#""é \ud83d""#).unwrap();
    let message = Message::user("m1".into(), vec![ContentBlock::Text(half)], MessageSource::User);
    session.append_message(&UserMessage(Arc::new(message)), SurfaceOp::Append, Some(vec![0, 1])).unwrap();
    let later = NOW + 7;
    let expected = header("s1")
        + &format!("{{\"type\":\"turn/start\",\"seq\":0,\"time\":{NOW},\"data\":{{\"turn\":1}}}}\n")
        + &format!("{{\"type\":\"step/start\",\"seq\":1,\"time\":{later},\"data\":{{\"turn\":1,\"step\":1}}}}\n")
        + &format!(
            "{{\"type\":\"user/message\",\"seq\":2,\"time\":{later},\"data\":{{\"content\":[{{\"type\":\"text\",\"text\":\"é \\ud83d\"}}],"
        )
        + "\"source\":{\"kind\":\"user\"},\"role\":\"user\",\"id\":\"m1\"},\"sourceEventSeqs\":[0,1],\"surfaceOp\":\"append\"}\n";
    assert_eq!(world.log("s1"), expected);
}

#[tokio::test]
async fn a_full_header_has_its_members_in_order() {
    let root = tempfile::tempdir().unwrap();
    let world = World::at(root.path()).await;
    let new = NewSession {
        cwd: Some("/w".to_owned()),
        parent_session: Some("p".into()),
        seed_length: Some(0),
        origin: Some(Origin::Subagent),
        delegation_depth: 2,
        agent_preset: Some("code".to_owned()),
    };
    world.create_with("a/b", new, Some(Vec::new())).unwrap();
    let expected = format!(
        "{{\"type\":\"session\",\"version\":0,\"id\":\"a/b\",\"createdAt\":{NOW},\"cwd\":\"/w\",\"parentSession\":\"p\",\"seedLength\":0,\
         \"origin\":\"subagent\",\"delegationDepth\":2,\"agentPreset\":\"code\"}}\n\
         {{\"type\":\"session/end-seed\",\"seq\":0,\"time\":{NOW},\"data\":{{}}}}\n"
    );
    assert_eq!(world.log("a~002Fb"), expected);
}

#[tokio::test]
async fn an_event_is_in_the_file_before_later_listeners_hear_of_it() {
    let root = tempfile::tempdir().unwrap();
    let world = World::at(root.path()).await;
    let seen: Arc<Mutex<Vec<bool>>> = Arc::default();
    let (heard, path) = (Arc::clone(&seen), world.path("s1"));
    let cx = PluginContext::new("later", 0, Surroundings::of_process());
    let listener = Arc::new(move |appended: &Appended| {
        let line = dsh_json::to_text(&*appended.event).unwrap() + "\n";
        heard.lock().unwrap().push(std::fs::read_to_string(&path).unwrap().ends_with(&line));
        Ok(())
    });
    world.appended.listen((Position::Row, 0), None, listener, cx.effects());
    let session = world.create("s1").unwrap();
    session.append(&TurnStart { turn: 1 }).unwrap();
    session.append(&TurnEnd { turn: 1, reason: TurnEndReason::Completed }).unwrap();
    assert_eq!(*seen.lock().unwrap(), [true, true]);
}

#[tokio::test]
async fn a_session_without_events_leaves_nothing() {
    let root = tempfile::tempdir().unwrap();
    let world = World::at(&root.path().join("store")).await;
    let session = world.create("s1").unwrap();
    assert!(world.sessions.flush(&session).await.unwrap());
    assert_eq!(world.store.locate(SessionId::from("s1")).await, None);
    world.sessions.detach(&session);
    assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0);
    assert_eq!(world.store.list().await.unwrap(), []);
}

#[tokio::test]
async fn directories_and_files_are_private_and_nothing_else_is_left() {
    let root = tempfile::tempdir().unwrap();
    let store = root.path().join("a/store");
    let world = World::at(&store).await;
    let session = world.create("s1").unwrap();
    session.append(&EndSeed {}).unwrap();
    assert!(world.sessions.flush(&session).await.unwrap());
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let log = world.path("s1");
    assert_eq!(mode(&log), 0o600);
    for directory in log.ancestors().skip(1).take(4) {
        assert_eq!(mode(directory), 0o700, "{}", directory.display());
    }
    let left = std::fs::read_dir(log.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(left.collect::<std::collections::BTreeSet<_>>(), ["session.jsonl".to_owned(), "session.lock".to_owned()].into());
    let lock = log.with_file_name("session.lock");
    assert_eq!((mode(&lock), std::fs::read(&lock).unwrap().len()), (0o600, 0));
    assert_eq!(world.store.locate(SessionId::from("s1")).await, Some(log));
}

#[tokio::test]
async fn sessions_without_a_working_directory_have_a_place_of_their_own() {
    let root = tempfile::tempdir().unwrap();
    let world = World::at(root.path()).await;
    world.create_with("..", NewSession::default(), Some(Vec::new())).unwrap();
    let log = std::fs::read_to_string(root.path().join("_no-cwd/~002E~002E/session.jsonl")).unwrap();
    assert!(log.starts_with(&format!("{{\"type\":\"session\",\"version\":0,\"id\":\"..\",\"createdAt\":{NOW},\"delegationDepth\":0}}\n")));
    assert!(world.load("..").await.is_ok());
}

#[tokio::test]
async fn an_id_that_is_no_file_name_is_refused_at_once() {
    let root = tempfile::tempdir().unwrap();
    let world = World::at(root.path()).await;
    let error = world.create(&"é".repeat(60)).err().unwrap().to_string();
    assert!(error.ends_with("the session id is too long: its directory's name would have 300 bytes, and 255 is the most"), "{error}");
}

#[tokio::test]
async fn a_root_that_is_no_directory_is_refused_when_the_row_mounts() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = mounted(config(file.path())).await.err().unwrap().to_string();
    assert!(error.contains(&file.path().display().to_string()), "{error}");
}

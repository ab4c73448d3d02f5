//! Logs of other versions and vocabularies, and logs with damage that is no broken end: refused, and never changed.

use dsh_session_persistence::{PersistenceError, SessionPersistence};

use crate::world::{NOW, World, header, lines, put, put_frames, turn};

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Unsupported,
    Corrupt,
}

async fn refusal(log: &str) -> (Kind, String) {
    let root = tempfile::tempdir().unwrap();
    let path = put(root.path(), "s", log);
    let error = World::at(root.path()).await.load("s").await.unwrap_err();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), log, "a refused log is not changed");
    assert!(error.to_string().ends_with(&path.display().to_string()), "{error}");
    let kind = match error {
        PersistenceError::Unsupported { .. } => Kind::Unsupported,
        PersistenceError::Corrupt { .. } => Kind::Corrupt,
        other => panic!("{other}"),
    };
    (kind, error.to_string())
}

fn event(seq: u64, kind: &str, rest: &str) -> String {
    format!("{{\"type\":\"{kind}\",\"seq\":{seq},\"time\":{NOW},{rest}}}\n")
}

#[tokio::test]
async fn headers_are_checked_version_first() {
    use Kind::{Corrupt, Unsupported};
    let changed = |from: &str, to: &str| header("s").replace(from, to);
    for (log, kind, words) in [
        ("{\"version\":1,\"shape\":\"other\"}\n".to_owned(), Unsupported, "newer version, format 1; this version reads format 0"),
        ("{\"version\":-1}\n".to_owned(), Unsupported, "format -1 is too old"),
        ("{\"version\":\"0\"}\n".to_owned(), Corrupt, "`version` is no number"),
        ("{}\n".to_owned(), Corrupt, "missing field `version`"),
        ("no JSON\n".to_owned(), Corrupt, "the header line"),
        (changed(",\"delegationDepth\":0", ""), Corrupt, "delegationDepth"),
        (changed("\"delegationDepth\":0", "\"delegationDepth\":-0"), Corrupt, "the header line"),
        (changed(&NOW.to_string(), "-1"), Corrupt, "the header line"),
        (changed("\"type\":\"session\"", "\"type\":\"other\""), Corrupt, "`type`"),
        (changed("\"/w\"", "\"w\""), Corrupt, "`cwd` is not absolute"),
        (changed("\"/w\"", "\"/v\""), Corrupt, "another place"),
        (changed("\"cwd\"", "\"sandboxMode\":null,\"cwd\""), Corrupt, "retired member"),
        (changed("\"cwd\"", "\"approvalPolicy\":\"ask\",\"cwd\""), Corrupt, "retired member"),
        (changed("\"cwd\"", "\"origin\":\"moon\",\"cwd\""), Corrupt, "`origin`"),
        (header("t"), Corrupt, "its header names session \"t\""),
    ] {
        let found = refusal(&log).await;
        assert!(found.0 == kind && found.1.contains(words), "{log}{found:?}");
    }
}

#[tokio::test]
async fn unknown_members_of_a_header_are_passed_over() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "s", header("s").replace("\"cwd\"", "\"colour\":\"red\",\"cwd\"") + &turn(0, 1));
    assert_eq!(lines(&World::at(root.path()).await.load("s").await.unwrap()), turn(0, 1));
}

#[tokio::test]
async fn events_are_checked_by_type_and_form() {
    use Kind::{Corrupt, Unsupported};
    for (line, kind, words) in [
        (event(0, "acme/thing", "\"data\":{}"), Unsupported, "event 0 has the type `acme/thing`"),
        (event(0, "acme/thing", "\"data\":{},\"ignorable\":false"), Unsupported, "acme/thing"),
        (event(0, "turn/start", "\"data\":{\"turn\":1},\"ignorable\":false"), Corrupt, "ignorable"),
        (event(0, "turn/start", "\"data\":{\"turn\":1},\"colour\":1"), Corrupt, "colour"),
        (event(0, "turn/start", "\"data\":{\"turn\":\"one\"}"), Corrupt, "event 0"),
        (event(0, "todo/write", "\"colour\":1"), Corrupt, "colour"),
        (event(0, "mode/set", "\"data\":{}"), Corrupt, "retired type"),
        (event(0, "request/header-delta", "\"data\":{}"), Corrupt, "retired type"),
        (
            event(0, "request/header", "\"data\":{\"header\":{\"config\":{\"provider\":\"p\",\"model\":\"m\"}},\"reason\":\"fallback\"}"),
            Corrupt,
            "fallback",
        ),
        (event(0, "acme/thing", "\"data\":{},\"ignorable\":true,\"surfaceOp\":\"append\""), Corrupt, "not model-visible"),
        (event(0, "turn/start", "\"data\":{\"turn\":1},\"sourceEventSeqs\":[0]"), Corrupt, "not model-visible"),
        (
            event(0, "user/message", "\"data\":{\"content\":[],\"source\":{\"kind\":\"user\"},\"role\":\"user\",\"id\":\"m\"}"),
            Corrupt,
            "surfaceOp",
        ),
        (
            event(
                0,
                "user/message",
                "\"data\":{\"content\":[],\"source\":{\"kind\":\"\"},\"role\":\"user\",\"id\":\"m\"},\"surfaceOp\":\"append\"",
            ),
            Corrupt,
            "kind",
        ),
    ] {
        let found = refusal(&(header("s") + &line)).await;
        assert!(found.0 == kind && found.1.contains(words), "{line}{found:?}");
    }
}

#[tokio::test]
async fn an_unknown_event_that_may_be_ignored_keeps_its_place() {
    let root = tempfile::tempdir().unwrap();
    let unknown = event(4, "acme/thing", "\"data\":{\"a\":1},\"ignorable\":true");
    put(root.path(), "s", header("s") + &turn(0, 1) + &unknown);
    assert_eq!(lines(&World::at(root.path()).await.load("s").await.unwrap()), turn(0, 1) + &unknown);
}

#[tokio::test]
async fn what_is_not_there_or_there_twice_is_told() {
    let root = tempfile::tempdir().unwrap();
    let world = World::at(root.path()).await;
    assert_eq!(world.load("s").await.unwrap_err().to_string(), "session \"s\" not found");
    assert!(matches!(world.load("").await.unwrap_err(), PersistenceError::NotFound(_)));
    put(root.path(), "s", header("s") + &turn(0, 1));
    let second = root.path().join("--v--/s/session.jsonl");
    std::fs::create_dir_all(second.parent().unwrap()).unwrap();
    std::fs::write(&second, header("s").replace("/w", "/v")).unwrap();
    let error = world.load("s").await.unwrap_err().to_string();
    assert!(error.contains("stored twice") && error.contains("--v--") && error.contains("--w--"), "{error}");
}

#[tokio::test]
async fn a_log_of_the_other_encoding_is_told_and_hides_no_other() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "plain", header("plain") + &turn(0, 1));
    put_frames(root.path(), "packed", &[&header("packed"), &turn(0, 1)]);
    for (world, own, other, words) in [
        (World::at(root.path()).await, "plain", "packed", "the log is compressed, and the store is not; with `compression: zstd`"),
        (World::zstd(root.path()).await, "packed", "plain", "the log is plain text, and the store is compressed; with `compression: none`"),
    ] {
        let error = world.load(other).await.unwrap_err();
        assert!(matches!(error, PersistenceError::Unsupported { .. }), "{error}");
        assert!(error.to_string().contains(words) && error.to_string().contains(&format!("/{other}/session.jsonl")), "{error}");
        assert_eq!(lines(&world.load(own).await.unwrap()), turn(0, 1));
        let listed = world.store.list().await.unwrap();
        assert_eq!(listed.iter().map(|header| &*header.id.0).collect::<Vec<_>>(), [own]);
        assert!(world.store.exists(other.into()).await.unwrap(), "its id stays taken");
        let words = world.create(other).err().unwrap().to_string();
        assert!(words.ends_with(&format!("session \"{other}\" already exists")), "{words}");
    }
}

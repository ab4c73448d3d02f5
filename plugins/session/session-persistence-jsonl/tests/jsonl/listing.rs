//! The list of sessions. A file that is no session hides no other.

use dsh_session_persistence::SessionPersistence;

use crate::world::{World, header, put, turn};

async fn ids(root: &std::path::Path) -> Vec<String> {
    World::at(root).await.store.list().await.unwrap().into_iter().map(|header| header.id.to_string()).collect()
}

#[tokio::test]
async fn a_store_that_does_not_exist_is_empty() {
    assert!(ids(std::path::Path::new("/nowhere/at/all")).await.is_empty());
}

#[tokio::test]
async fn strays_hide_no_session() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "b", header("b") + &turn(0, 1));
    put(root.path(), "a", header("a"));
    put(root.path(), "torn", header("torn").trim_end());
    put(root.path(), "broken", "no JSON\n");
    put(root.path(), "moved", header("elsewhere"));
    put(root.path(), "newer", header("newer").replace("\"version\":0", "\"version\":1"));
    put(root.path(), "zstd", "");
    let plain = root.path().join("--w--/zstd/session.jsonl");
    std::fs::rename(&plain, plain.with_extension("jsonl.zstd")).unwrap();
    std::fs::write(root.path().join("--w--/flat.jsonl"), header("flat")).unwrap();
    std::fs::write(root.path().join("stray"), "").unwrap();
    std::fs::create_dir_all(root.path().join("--w--/empty/session.jsonl.0123456789ab.tmp")).unwrap();
    assert_eq!(ids(root.path()).await, ["a", "b", "newer"]);
}

#[tokio::test]
async fn an_id_that_is_stored_twice_is_listed_once() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "a", header("a"));
    let other = root.path().join("_no-cwd/a/session.jsonl");
    std::fs::create_dir_all(other.parent().unwrap()).unwrap();
    std::fs::write(other, header("a").replace(",\"cwd\":\"/w\"", "")).unwrap();
    assert_eq!(ids(root.path()).await, ["a"]);
}

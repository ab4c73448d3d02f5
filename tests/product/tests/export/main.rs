//! `BIN export …`: a stored session as a trajectory, and what its agent changed as a patch.

mod patches;
mod rules;
mod trajectories;

use std::fs;
use std::path::Path;

use dsh_product_tests::{Ended, Place, binary, run_to_end};

/// Exports with the binary of `minimal`, without a key.
async fn export(place: &Place, words: &[&str]) -> Ended {
    let mut command = place.command(&binary("minimal"), "http://127.0.0.1:9");
    command.env_remove("DEEPSEEK_API_KEY").arg("export").args(words);
    run_to_end(command).await
}

/// Stores a log: a header for a session of this id in this folder, then the lines. The folder's path must need no escape in a file name.
fn store(place: &Place, id: &str, cwd: &Path, more: &str, lines: &str) {
    let project = format!("--{}--", cwd.to_str().unwrap().trim_start_matches('/').replace('/', "-"));
    let folder = place.sessions().join(project).join(id);
    fs::create_dir_all(&folder).unwrap();
    let header =
        format!(r#"{{"type":"session","version":0,"id":"{id}","createdAt":1790000000000,"cwd":{cwd:?},"delegationDepth":0{more}}}"#);
    fs::write(folder.join("session.jsonl"), format!("{header}\n{lines}")).unwrap();
}

/// Sees that nothing was exported, and why.
fn assert_refused(ended: &Ended, status: i32, why: &[&str]) {
    assert_eq!((ended.status, ended.stdout.as_str()), (status, ""), "{}", ended.stderr);
    for word in why {
        assert!(ended.stderr.contains(word), "`{word}` is told: {}", ended.stderr);
    }
}

#[tokio::test]
async fn wrong_words_are_refused_with_how_it_is_used() {
    let place = Place::new();
    for words in [&[][..], &["s"], &["s", "--format", "pdf"], &["s", "--format", "atif", "--base", "v1"]] {
        assert_refused(&export(&place, words).await, 2, &["error: ", "--help"]);
    }
    let ended = export(&place, &["--help"]).await;
    assert!(ended.status == 0 && ended.stdout.contains("swebench-patch"), "{}", ended.stdout);
}

#[tokio::test]
async fn a_session_that_cannot_be_read_or_is_empty_is_told() {
    let place = Place::new();
    assert_refused(&export(&place, &["nobody", "--format", "atif"]).await, 5, &["nobody"]);
    store(&place, "empty", &place.workspace(), "", "");
    assert_refused(&export(&place, &["empty", "--format", "atif"]).await, 5, &["\"empty\" has nothing to export"]);
}

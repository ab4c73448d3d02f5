use std::path::PathBuf;
use std::sync::Arc;

use dsh_fs::{FsEditIntent, FsError, FsErrorCode, FsWriteIntent, IntentRequest, Version};
use dsh_runtime::event::Around;
use dsh_runtime::{BoxFuture, Flow, Next, Position};
use serde_json::json;

use crate::world::World;

/// Refuses all files, as a policy does that has seen none of them.
struct Unseen;

impl Around<FsEditIntent> for Unseen {
    fn call<'a>(&'a self, request: &'a mut IntentRequest, next: Next<'a, FsEditIntent>) -> BoxFuture<'a, Flow<FsEditIntent>> {
        let path = request.target.display_path.display();
        let refusal = FsError::new(FsErrorCode::NotObserved, format!("`{path}` was not read"));
        Box::pin(async move { next.decide(Err(refusal)) })
    }
}

impl Around<FsWriteIntent> for Unseen {
    fn call<'a>(&'a self, _request: &'a mut IntentRequest, next: Next<'a, FsWriteIntent>) -> BoxFuture<'a, Flow<FsWriteIntent>> {
        Box::pin(async move { next.decide(Err(FsError::new(FsErrorCode::PermissionDenied, "not here"))) })
    }
}

/// Demands a version that no file has.
struct Outdated;

impl Around<FsEditIntent> for Outdated {
    fn call<'a>(&'a self, _request: &'a mut IntentRequest, next: Next<'a, FsEditIntent>) -> BoxFuture<'a, Flow<FsEditIntent>> {
        Box::pin(async move { next.decide(Ok(Some(Version::new("old".to_owned())))) })
    }
}

/// Changes the file between the question and the edit.
struct Meddler(PathBuf);

impl Around<FsEditIntent> for Meddler {
    fn call<'a>(&'a self, request: &'a mut IntentRequest, next: Next<'a, FsEditIntent>) -> BoxFuture<'a, Flow<FsEditIntent>> {
        std::fs::write(&self.0, "a was changed meanwhile").unwrap();
        next.run(request)
    }
}

const KEY: (Position, usize) = (Position::Row, 0);

#[tokio::test]
async fn a_policy_may_refuse_edits_and_creations() {
    let world = World::new().await;
    world.put("file", "a");
    world.edit_intent.listen(KEY, None, Arc::new(Unseen), &world.effects);
    world.write_intent.listen(KEY, None, Arc::new(Unseen), &world.effects);
    world.call("file", json!({"command": "insert", "insert_line": 0, "new_str": "x"})).await.coded("FS_NOT_OBSERVED");
    world.call("new", json!({"command": "create", "file_text": "x"})).await.coded("FS_PERMISSION_DENIED");
    assert_eq!(world.content("file"), "a");
    assert!(!world.path("new").exists());
}

#[tokio::test]
async fn another_version_is_stale_whether_or_not_the_text_matches() {
    let world = World::new().await;
    world.put("file", "a");
    world.edit_intent.listen(KEY, None, Arc::new(Outdated), &world.effects);
    for old in ["a", "not there"] {
        world.call("file", json!({"command": "str_replace", "old_str": old, "new_str": "x"})).await.coded("FS_STALE_VERSION");
    }
}

#[tokio::test]
async fn a_change_during_the_edit_is_not_overwritten() {
    let world = World::new().await;
    world.put("file", "a");
    world.edit_intent.listen(KEY, None, Arc::new(Meddler(world.path("file"))), &world.effects);
    world.call("file", json!({"command": "str_replace", "old_str": "a was", "new_str": "x"})).await.coded("FS_STALE_VERSION");
    assert_eq!(world.content("file"), "a was changed meanwhile");
}

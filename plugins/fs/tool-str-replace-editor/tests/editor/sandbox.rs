use std::path::PathBuf;
use std::sync::Arc;

use dsh_sandbox_policy::{Policy, SandboxMode, SandboxPolicy};
use dsh_session::Session;
use serde_json::json;

use crate::world::{World, config};

struct Fixed(Policy);

impl SandboxPolicy for Fixed {
    fn policy_for(&self, _session: &Session) -> Policy {
        self.0.clone()
    }
    fn default_policy(&self) -> Policy {
        self.0.clone()
    }
}

async fn world(mode: SandboxMode, root: &str) -> World {
    let policy = Policy { mode, workspace_root: PathBuf::from(root), session_id: None, temp_dir: std::env::temp_dir() };
    World::with(config(1000), Some(Arc::new(Fixed(policy)))).await
}

#[tokio::test]
async fn read_only_views_and_changes_nothing() {
    let world = world(SandboxMode::ReadOnly, "/").await;
    world.put("file", "a");
    world.call("file", json!({"command": "view"})).await.ok();
    for args in
        [json!({"command": "insert", "insert_line": 0, "new_str": "x"}), json!({"command": "str_replace", "old_str": "a", "new_str": "x"})]
    {
        let refused = world.call("file", args).await.coded("FS_SANDBOX_DENIED");
        assert_eq!(refused, "Error: [sandbox: file access denied under read-only mode]");
    }
    world.call("new", json!({"command": "create", "file_text": "x"})).await.coded("FS_SANDBOX_DENIED");
    assert_eq!(world.content("file"), "a");
    assert!(!world.path("new").exists());
}

#[tokio::test]
async fn workspace_write_keeps_to_its_roots() {
    let world = world(SandboxMode::WorkspaceWrite, "/nowhere").await;
    world.call("new", json!({"command": "create", "file_text": "x"})).await.ok();
    let outside = json!({"command": "create", "path": "/proc/dsh-outside", "file_text": "x"});
    let refused = world.call_raw(outside).await.coded("FS_SANDBOX_DENIED");
    assert_eq!(refused, "Error: [sandbox: file access denied under workspace-write mode]");
}

#[tokio::test]
async fn full_access_confines_nothing() {
    let world = world(SandboxMode::DangerFullAccess, "/nowhere").await;
    world.call("new", json!({"command": "create", "file_text": "x"})).await.ok();
    assert_eq!(world.content("new"), "x");
}

//! What is refused.

use dsh_sandbox_policy::SandboxMode;

use crate::world::{World, config};

#[tokio::test]
async fn a_shell_that_cannot_be_confined_is_not_started() {
    for mode in [SandboxMode::ReadOnly, SandboxMode::WorkspaceWrite] {
        let world = World::with(config(), mode).await.expect("it mounts");
        let refused = world.terminals.open(&world.agent, world.request()).await.expect_err("it is refused");
        assert_eq!(refused.code(), Some("SANDBOX_UNAVAILABLE"));
        assert!(refused.to_string().contains(&format!("the sandbox mode is `{mode}`")), "{refused}");
        assert!(world.terminals.list(&world.agent).is_empty());
        world.harness.teardown().await;
    }
}

#[tokio::test]
async fn limits_that_contradict_each_other_do_not_mount() {
    let refusal = async |config| World::with(config, SandboxMode::DangerFullAccess).await.err().expect("it is refused").to_string();
    let text = refusal(dsh_terminal_bash::Config { max_read_bytes: 100_001, ..config() }).await;
    assert!(text.contains("`maxReadBytes`"), "{text}");
    let text = refusal(dsh_terminal_bash::Config { handoff_grace_ms: 9, ..config() }).await;
    assert!(text.contains("`handoffGraceMs`"), "{text}");
}

#[tokio::test]
async fn a_shell_that_is_not_there_is_named() {
    let config = dsh_terminal_bash::Config { shell_path: "/no/such/shell".into(), ..config() };
    let world = World::with(config, SandboxMode::DangerFullAccess).await.expect("it mounts");
    let refused = world.terminals.open(&world.agent, world.request()).await.expect_err("it is refused").to_string();
    assert!(refused.contains("`/no/such/shell` did not start"), "{refused}");
    world.harness.teardown().await;
}

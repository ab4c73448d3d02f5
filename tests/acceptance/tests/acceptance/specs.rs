//! What is carried out has no open questions: defaults are filled in by a step of their own, whose result can be read and logged.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use dsh_fs::{Fs, FsTarget, ResolveRequest, TargetKey};
use dsh_fs_local::FsLocal;
use dsh_llm::ModelInfo;
use dsh_runtime::{CancellationToken, NoInject};
use dsh_session::catalogue::RequestHeader;
use dsh_subprocess::{EnvironmentChanges, LineMode, OutputTarget, SpawnSpec, StdinSource, TerminalSpec};
use dsh_testkit::{Harness, Reply, ScriptedModel};

use crate::world::World;

/// Compiles as long as every field has a value. A field that may be absent, or a new one, fails here.
#[allow(clippy::type_complexity, reason = "the types of the fields are the statement")]
fn every_field(
    child: SpawnSpec,
    terminal: TerminalSpec,
    file: FsTarget,
) -> (
    (Vec<OsString>, PathBuf, EnvironmentChanges, StdinSource, [OutputTarget; 2], Duration, CancellationToken),
    (Vec<OsString>, PathBuf, EnvironmentChanges, [u16; 2], LineMode, Duration, CancellationToken),
    (PathBuf, TargetKey),
) {
    let SpawnSpec { argv, cwd, environment, stdin, stdout, stderr, grace, cancel } = child;
    let child = (argv, cwd, environment, stdin, [stdout, stderr], grace, cancel);
    let TerminalSpec { argv, cwd, environment, rows, cols, line_mode, grace, cancel } = terminal;
    let terminal = (argv, cwd, environment, [rows, cols], line_mode, grace, cancel);
    let FsTarget { display_path, target_key } = file;
    (child, terminal, (display_path, target_key))
}

#[tokio::test]
async fn row_14_a_resolved_request_has_no_optional_fields() {
    let _: fn(SpawnSpec, TerminalSpec, FsTarget) -> _ = every_field;
    let mut harness = Harness::new();
    let folder = harness.folder().canonicalize().unwrap();
    let config = dsh_fs_local::Config { cwd: Some(folder.clone()), diff_basis_max_bytes: 1_000 };
    let fs = harness.mount::<FsLocal>("fs", config, NoInject {}).await.plugin();
    let request = ResolveRequest { path: PathBuf::from("notes.txt"), cwd: None };
    let target = fs.resolve(request, CancellationToken::new()).await.unwrap();
    let notes = folder.join("notes.txt");
    assert_eq!(target, FsTarget { display_path: notes.clone(), target_key: TargetKey::new(notes) });
    harness.teardown().await;
}

#[tokio::test]
async fn row_14_the_defaults_of_a_model_call_are_resolved_and_on_record() {
    let info = ModelInfo { default_max_tokens: Some(512), context_window: Some(1_000), ..ModelInfo::default() };
    let world = World::with_model(ScriptedModel::with_model(info, [Reply::text("done")])).await;
    let agent = world.agent().await;
    world.prompt(&agent, "hello").await;
    let RequestHeader { header, .. } = world.log().iter().find_map(|event| event.data()).expect("a header");
    assert_eq!((header.config.max_tokens, header.adapter_defaults.max_tokens), (Some(512), true), "whose value it is, is on record");
    assert_eq!(world.model.calls()[0].config, header.config, "what is carried out is what was resolved");
    world.teardown().await;
}

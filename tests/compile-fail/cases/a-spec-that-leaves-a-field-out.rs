//! What is carried out has no hidden defaults: whoever makes a specification states every field.

use dsh_subprocess::{EnvironmentChanges, OutputTarget, SpawnSpec};
use dsh_tools::{Render, ToolSpec};
use std::time::Duration;

fn child() -> SpawnSpec {
    SpawnSpec {
        argv: vec!["true".into()],
        cwd: "/".into(),
        environment: EnvironmentChanges::new(),
        stdout: OutputTarget::Inherit,
        stderr: OutputTarget::Inherit,
        grace: Duration::from_secs(1),
    }
}

fn tool() -> ToolSpec {
    ToolSpec { name: "look".to_owned(), render: Render::Generic, ..ToolSpec::default() }
}

fn main() {}

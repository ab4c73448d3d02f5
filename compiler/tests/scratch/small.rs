//! A small workspace, `small`, in which a shell script stands in for cargo's builds, and what runs in it say.

use std::process::{Command, Output};

use super::{Scratch, stand_in_for_cargo};

/// A profile of one row, a patch file that fits it and one that does not.
const INPUT: &str = "\
//- crate one
use dsh_runtime::plugin;
/// Serves.
pub struct One;
#[plugin]
impl One {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> { Ok(Self) }
    #[serve]
    pub async fn serve(&self, session: ServeSession) -> Exit { Exit::COMPLETED }
}
//- file profiles/small/profile.yml
dsh: 1
profile: small
patch:
  - insert: [{ id: one, plugin: one }]
//- file wrong.yml
- id: two
  disabled: true
//- file more.yml
- id: one
  plugin: one
";

/// The workspace.
pub fn input() -> Scratch {
    Scratch::new(INPUT)
}

/// The compiler, to be run in it.
pub fn command(scratch: &Scratch, words: &[&str]) -> Command {
    let mut command = scratch.command(words);
    stand_in_for_cargo(&mut command, &scratch.root());
    command
}

/// Runs it.
pub fn run(scratch: &Scratch, words: &[&str]) -> Output {
    command(scratch, words).output().unwrap()
}

/// The exit status.
pub fn status(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// What was written to a stream.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

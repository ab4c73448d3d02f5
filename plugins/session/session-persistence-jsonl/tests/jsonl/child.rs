//! Cases that change their process or end it: each runs in a process of its own, which is this test program again.

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Names the case that a child runs.
const RUNS: &str = "DSH_TEST_CHILD_RUNS";
/// Hands a path to a child.
const PATH: &str = "DSH_TEST_CHILD_PATH";

/// Runs a case in a child that ignores the signal of a file that grew too large. `name` is the test that calls this.
pub fn case(name: &str, run: impl Future<Output = ()>) {
    if is_child(name) {
        return block_on(run);
    }
    let Output { status, stdout, stderr } = command(name).output().unwrap();
    let said = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
    assert!(status.success() && said.contains("1 passed"), "{said}");
}

/// Whether this process was started to run the test `name`.
pub fn is_child(name: &str) -> bool {
    std::env::var(RUNS).is_ok_and(|runs| runs == name)
}

/// The path that this child was given.
pub fn path() -> std::path::PathBuf {
    std::env::var_os(PATH).unwrap().into()
}

/// Starts a child that runs the test `name` with a path; its output can be read.
pub fn start(name: &str, path: &Path) -> std::process::Child {
    command(name).env(PATH, path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

fn command(name: &str) -> Command {
    let mut command = Command::new("sh");
    let script = "trap '' XFSZ; exec \"$0\" --exact \"$1\" --nocapture";
    command.args(["-c", script]).arg(std::env::current_exe().unwrap()).arg(name).env(RUNS, name);
    command
}

pub fn block_on(run: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(run);
}

//! The compiler, and the binaries that it makes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

use serde_json::Value;

/// Root of the workspace.
#[must_use]
pub fn workspace() -> &'static Path {
    // This package lies two folders below the root.
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new("/"))
}

/// The compiler, built once in a test process.
///
/// # Panics
/// When it does not compile.
pub fn dsh_build() -> &'static Path {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["build", "--quiet", "--offline", "--package", "dsh-build", "--message-format", "json-render-diagnostics"]);
        let output = cargo.current_dir(workspace()).stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
        let made = String::from_utf8_lossy(&output.stdout).lines().find_map(|line| {
            let message: Value = serde_json::from_str(line).ok()?;
            message["executable"].as_str().map(PathBuf::from)
        });
        made.ok_or_else(|| String::from_utf8_lossy(&output.stderr).into_owned())
    });
    built.as_ref().unwrap_or_else(|error| panic!("the compiler was not built:\n{error}"))
}

/// A run of the compiler in the folder and for the workspace `root`, without a user's own profiles.
pub fn compile(root: &Path) -> Command {
    let mut command = Command::new(dsh_build());
    command.current_dir(root).stdin(Stdio::null()).env_remove("DSH_WORKSPACE").env("DSH_HOME", root.join("target").join("no-home"));
    command
}

/// The binary of a shipped profile, built once in a test process for tests and debuggers.
///
/// # Panics
/// When the compiler refuses the profile.
pub fn binary(profile: &str) -> PathBuf {
    static BUILT: Mutex<BTreeMap<String, Result<PathBuf, String>>> = Mutex::new(BTreeMap::new());
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    let outcome = built.entry(profile.to_owned()).or_insert_with(|| build(profile)).clone();
    drop(built);
    outcome.unwrap_or_else(|error| panic!("profile {profile} was not built:\n{error}"))
}

fn build(profile: &str) -> Result<PathBuf, String> {
    let output = compile(workspace()).args(["--profile", profile, "--debug", "--offline"]).output().map_err(|error| error.to_string())?;
    match String::from_utf8_lossy(&output.stdout).lines().last() {
        Some(path) if output.status.success() => Ok(PathBuf::from(path)),
        _ => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

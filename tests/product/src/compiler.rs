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
        executable(&output.stdout).ok_or_else(|| String::from_utf8_lossy(&output.stderr).into_owned())
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

/// The binary of a shipped profile with features of the crates that it is made of, built once in a test process. It lies beside the
/// ordinary one and is no less debuggable.
///
/// # Panics
/// When it does not compile.
pub fn binary_with(profile: &str, features: &[&str]) -> PathBuf {
    static BUILT: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    built.entry(format!("{profile} {}", features.join(","))).or_insert_with(|| build_with(profile, features)).clone()
}

fn build_with(profile: &str, features: &[&str]) -> PathBuf {
    // Its plugins are compiled with the ordinary one.
    binary(profile);
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let (package, target) = (format!("dsh-agent-{profile}"), workspace().join("target/dsh/build"));
    cargo.args(["build", "--quiet", "--offline", "--package", &package, "--message-format", "json-render-diagnostics"]);
    cargo.arg("--features").arg(features.join(",")).arg("--target-dir").arg(&target);
    for (name, _) in std::env::vars_os() {
        // What the test's own cargo says of the test's package would have crates with C code built anew.
        if name.to_str().is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")) {
            cargo.env_remove(name);
        }
    }
    let output = cargo.current_dir(workspace()).stdin(Stdio::null()).output().expect("cargo runs");
    let made = executable(&output.stdout).unwrap_or_else(|| {
        panic!("profile {profile} with {features:?} was not built:\n{}", String::from_utf8_lossy(&output.stderr));
    });
    // The next build of the profile replaces cargo's own file.
    let kept = workspace().join("target/dsh/debug").join(format!("dsh-{profile}+{}", features.join("+").replace('/', "-")));
    let new = kept.with_added_extension(std::process::id().to_string());
    std::fs::copy(&made, &new).and_then(|_| std::fs::rename(&new, &kept)).expect("a file beside the binary can be written");
    kept
}

/// The program that cargo says it made.
fn executable(messages: &[u8]) -> Option<PathBuf> {
    String::from_utf8_lossy(messages).lines().find_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        message["executable"].as_str().map(PathBuf::from)
    })
}

fn build(profile: &str) -> Result<PathBuf, String> {
    let output = compile(workspace()).args(["--profile", profile, "--debug", "--offline"]).output().map_err(|error| error.to_string())?;
    match String::from_utf8_lossy(&output.stdout).lines().last() {
        Some(path) if output.status.success() => Ok(PathBuf::from(path)),
        _ => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

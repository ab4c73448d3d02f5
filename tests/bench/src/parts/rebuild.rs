//! Building again: after a change of config, and after none.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::report::Part;
use crate::samples::Samples;
use crate::setting::Setting;

/// Builds over and over with overlays that differ in one value, which leave the sources as they are.
pub fn measure(setting: &Setting) -> io::Result<Part> {
    let mut part = Part {
        name: "rebuild",
        about: "`dsh-build --profile minimal` when everything is built; the change is one value of one row.",
        columns: vec!["median s", "p95 s", "min s", "crates compiled"],
        ..Part::default()
    };
    let wrapper = Wrapper::make(setting.scratch.path())?;
    let patch = setting.scratch.path().join("patch.yml");
    let build = |timeout_ms: usize| {
        fs::write(&patch, format!("- id: persistent-bash\n  config:\n    timeoutMs: {timeout_ms}\n"))?;
        wrapper.build(setting, &patch)
    };
    build(100_000)?;
    let [mut same, mut changed] = <[Samples; 2]>::default();
    let [mut same_crates, mut changed_crates] = <[Samples; 2]>::default();
    for round in 1..=setting.count(5, 1) {
        let (time, crates) = build(100_000 + round)?;
        changed.value(time.as_secs_f64());
        changed_crates.value(crates);
        let (time, crates) = build(100_000 + round)?;
        same.value(time.as_secs_f64());
        same_crates.value(crates);
    }
    part.row("one value changed", vec![changed.median(), changed.p95(), changed.min(), changed_crates.median()]);
    part.row("nothing changed", vec![same.median(), same.p95(), same.min(), same_crates.median()]);
    part.budget("crates compiled after a change of config", changed_crates.median(), 1.0, "");
    part.budget("a build after no change, median", same.median(), 1.0, "s");
    Ok(part)
}

/// A cargo that also writes down what it says.
struct Wrapper {
    program: PathBuf,
    said: PathBuf,
}

impl Wrapper {
    fn make(folder: &Path) -> io::Result<Self> {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let (program, said) = (folder.join("cargo-noted"), folder.join("cargo-said"));
        fs::write(&program, format!("#!/bin/bash\nset -o pipefail\n'{cargo}' \"$@\" | tee -a '{}'\n", said.display()))?;
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755))?;
        Ok(Self { program, said })
    }

    /// How long a build took, and how many crates were compiled.
    #[allow(clippy::cast_precision_loss)]
    fn build(&self, setting: &Setting, patch: &Path) -> io::Result<(Duration, f64)> {
        fs::write(&self.said, "")?;
        let mut command = Command::new(&setting.compiler);
        command.args(["--profile", "minimal", "--offline", "--workspace"]).arg(&setting.workspace).arg("--patch").arg(patch);
        command.args(setting.quick.then_some("--debug")).arg("--out").arg(setting.scratch.path().join("built"));
        command.env("CARGO", &self.program).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let started = Instant::now();
        let output = command.output()?;
        let time = started.elapsed();
        if !output.status.success() {
            return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        let said = fs::read_to_string(&self.said)?;
        Ok((time, said.lines().filter(|line| tells_of_a_compilation(line)).count() as f64))
    }
}

/// A library and a program of one package are one crate to its author; cargo tells of both.
fn tells_of_a_compilation(line: &str) -> bool {
    let Ok(message) = serde_json::from_str::<Value>(line) else { return false };
    let is_program = message["target"]["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "bin"));
    message["reason"] == "compiler-artifact" && message["fresh"] == false && !is_program
}

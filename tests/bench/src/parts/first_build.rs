//! The first build: a clone of the sources, nothing compiled.

use std::io;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::complete;
use crate::processes::ended_children_ms;
use crate::report::Part;
use crate::setting::Setting;

/// Clones what is committed and builds as the README says.
pub fn measure(setting: &Setting) -> io::Result<Part> {
    let mut part = Part {
        name: "first-build",
        about: "`cargo run -p dsh-build -- --profile minimal` in a new clone; the crates of the registry are downloaded already. Processor \
                time is that of all compilers together.",
        columns: vec!["s", "processor s"],
        ..Part::default()
    };
    let clone = setting.scratch.path().join("clone");
    let mut command = Command::new("git");
    command.args(["clone", "--quiet"]).arg(&setting.workspace).arg(&clone);
    complete(command)?;
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["run", "--quiet", "--locked", "-p", "dsh-build", "--", "--profile", "minimal", "--locked"]).current_dir(&clone);
    command.env_remove("CARGO_TARGET_DIR").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let (started, before) = (Instant::now(), ended_children_ms());
    complete(command)?;
    let seconds = started.elapsed().as_secs_f64();
    part.row("first build", vec![seconds, (ended_children_ms() - before) / 1000.0]);
    part.budget("first build", seconds, 360.0, "s");
    Ok(part)
}

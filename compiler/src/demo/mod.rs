//! The demonstration: an agent with a scripted model mends a small program, and the program's own test tells whether it did.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use crate::console::say;

/// What the agent is asked to do.
const TASK: &str = "The test test.sh fails. Find the fault in add.sh, mend it, and run the test again.";

/// What the script says where it means the program's folder.
const PLACEHOLDER: &str = "{{workspace}}";

/// The small program, with a fault, and its test.
const FIXTURE: [(&str, &str); 2] = [("add.sh", include_str!("fixture/add.sh")), ("test.sh", include_str!("fixture/test.sh"))];

/// How it went.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// The test failed before the agent ran.
    pub failed_before: bool,
    /// The agent said that it completed the task.
    pub completed: bool,
    /// The test passes now.
    pub passes_after: bool,
    /// Where the session's log lies.
    pub sessions: PathBuf,
}

impl Verdict {
    /// Whether the agent mended the program.
    pub(crate) fn is_success(&self) -> bool {
        self.failed_before && self.completed && self.passes_after
    }
}

/// Runs `binary` on the small program in a new folder, which is kept so that one can look at it. `script` is the text of what the
/// model says, with `{{workspace}}` where the program's folder belongs. What the test and the agent print is shown as it comes.
pub(crate) fn run(binary: &Path, script: &str) -> io::Result<Verdict> {
    let folder = tempfile::Builder::new().prefix("dsh-demo-").tempdir()?.keep();
    let (program, sessions, script_file) = (folder.join("program"), folder.join("sessions"), folder.join("script.yml"));
    fs::create_dir(&program)?;
    for (name, text) in FIXTURE {
        fs::write(program.join(name), text)?;
        fs::set_permissions(program.join(name), fs::Permissions::from_mode(0o755))?;
    }
    fs::write(&script_file, script.replace(PLACEHOLDER, &quotable(&program)))?;
    tell(&format!("a small program with a fault lies in {}", program.display()));
    let failed_before = !test(&program)?.success();
    tell(&format!("the agent is asked: {TASK}"));
    let agent = Command::new(binary)
        .args(["run", TASK])
        .current_dir(&program)
        .env("DSH_HOME", folder.join("home"))
        .env("DSH_SESSION_ROOT", &sessions)
        .env("DSH_DEMO_SCRIPT", &script_file)
        .stdin(Stdio::null())
        .status()?;
    tell(&format!("the agent ended with {agent}"));
    let passes_after = test(&program)?.success();
    Ok(Verdict { failed_before, completed: agent.success(), passes_after, sessions })
}

/// A path as the inside of a double-quoted YAML string.
fn quotable(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"")
}

fn test(folder: &Path) -> io::Result<ExitStatus> {
    tell("the test runs:");
    Command::new("bash").arg("test.sh").current_dir(folder).stdin(Stdio::null()).status()
}

/// To standard error, between what others print there.
fn tell(words: &str) {
    say(format_args!("\ndsh-build demo: {words}"));
}

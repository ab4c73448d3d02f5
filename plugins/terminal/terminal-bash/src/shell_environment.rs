//! The environment of a shell.

use dsh_runtime::Environment;
use dsh_subprocess::EnvironmentChanges;
use dsh_terminal::{BackendRequest, Dialogue};

/// The prompt of an interactive session.
pub const PROMPT: &str = "dsh> ";
/// Begins the operating-system command that an interactive shell prints before each prompt; the last status follows.
pub const PROMPT_MARK: &[u8] = b"133;D;";
/// Prints that command: semantic prompts as FinalTerm defined them.
const PROMPT_COMMAND: &str = r#"printf '\033]133;D;%s\007' "$?""#;

/// What the environment of the harness is changed by.
pub fn changes(request: &BackendRequest, environment: &Environment) -> EnvironmentChanges {
    let mut changes = EnvironmentChanges::new()
        // Ends an idle shell.
        .remove("TMOUT")
        // The commands of a model do not belong into the history of the user.
        .set("HISTFILE", "")
        .set("DSH_SHELL", "1")
        .set("DSH_HOME", environment.harness_home())
        .set("DSH_SESSION_ID", request.agent.id().to_string())
        .set("DSH_PTY_SESSION_ID", request.id.to_string());
    for (name, value) in [("TERM", "dumb"), ("NO_COLOR", "1"), ("PAGER", "cat"), ("GIT_PAGER", "cat"), ("MANPAGER", "cat")] {
        changes = changes.set(name, value);
    }
    match request.dialogue {
        Dialogue::Interactive => changes.set("PS1", PROMPT).set("PROMPT_COMMAND", PROMPT_COMMAND),
        // Nobody calls up earlier lines.
        Dialogue::Scripted => changes.set("PS1", "").set("PS2", "").remove("PROMPT_COMMAND").set("HISTSIZE", "0"),
    }
}

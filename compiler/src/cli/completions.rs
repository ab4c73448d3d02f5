//! `dsh-build completions`.

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use super::arguments::{Arguments, CompletedShell};
use super::output::Output;

/// Writes the script by which a shell completes the words of this program.
pub(super) fn completions(shell: CompletedShell, output: &Output) -> Result<(), u8> {
    let shell = match shell {
        CompletedShell::Bash => Shell::Bash,
        CompletedShell::Zsh => Shell::Zsh,
        CompletedShell::Fish => Shell::Fish,
    };
    let mut script = Vec::new();
    generate(shell, &mut Arguments::command(), "dsh-build", &mut script);
    output.answer(&String::from_utf8_lossy(&script))
}

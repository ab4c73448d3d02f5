//! What the model reads.

use dsh_subprocess::ExitOutcome;

use crate::captured::CapturedText;
use crate::config::Config;
use crate::shell::{Ending, OpenFailure, Run};
use crate::watch::Event;

const RESET: &str = "The persistent bash shell was reset; the next call starts a new one in the workspace, without the working directory, \
                     variables and jobs of this one.";
const INTERRUPTED: &str = "[interrupted: the command waited for input from a terminal, and there is none to give]";

/// The text for a command that was run; `None` when the caller gave it up.
pub fn text(run: Run, config: &Config) -> Option<String> {
    let output = shown(run.captured, config.max_output_chars);
    let lines = match run.ending {
        Ending::Status { code, interrupted } => {
            let note = interrupted.then(|| INTERRUPTED.to_owned());
            let status = (code != 0).then(|| format!("[exit code: {code}]"));
            [output, note, status].into_iter().flatten().collect()
        }
        Ending::ShellLost(Event::Aborted) => return None,
        Ending::ShellLost(Event::Exited(outcome)) => {
            let unrun = (!run.started).then(|| "The command was not run: the shell had ended before.".to_owned());
            [unrun, output, Some(exit_line(outcome)), Some(RESET.to_owned())].into_iter().flatten().collect()
        }
        Ending::ShellLost(Event::TimedOut) => {
            let seconds = (config.timeout_ms + 500) / 1000;
            let so_far = if output.is_some() { "; it had printed:" } else { " and had printed nothing." };
            let first = format!("Your command timed out after {seconds} seconds{so_far}");
            [Some(first), output, Some(RESET.to_owned())].into_iter().flatten().collect()
        }
        // Nothing brought the shell back to its prompt.
        Ending::ShellLost(Event::WaitsForInput | Event::Finished(_)) => {
            [output, Some(INTERRUPTED.to_owned()), Some(RESET.to_owned())].into_iter().flatten().collect::<Vec<_>>()
        }
    };
    Some(lines.join("\n"))
}

/// Why no shell could be had; `None` when the caller gave up.
pub fn failure(failure: &OpenFailure) -> Option<String> {
    match failure {
        OpenFailure::Terminal(error) => Some(error.to_string()),
        OpenFailure::NoAnswer(Event::Aborted) => None,
        OpenFailure::NoAnswer(Event::Exited(outcome)) => Some(format!("the shell ended at once: {}", exit_line(*outcome))),
        OpenFailure::NoAnswer(Event::TimedOut | Event::WaitsForInput | Event::Finished(_)) => Some("the shell did not answer".to_owned()),
    }
}

/// The output with a note when it was cut; `None` when there is none.
fn shown(captured: CapturedText, max_output_chars: usize) -> Option<String> {
    let CapturedText { mut text, clipped } = captured;
    if clipped {
        text.push_str(&format!(
            "<response clipped><NOTE>The output is longer than {max_output_chars} characters; the rest is not shown. Narrow it down: \
             write it to a file, then look for lines with `grep -n` or read parts with `head`, `tail` and `sed -n`.</NOTE>"
        ));
    }
    (!text.is_empty()).then_some(text)
}

fn exit_line(outcome: ExitOutcome) -> String {
    match outcome {
        ExitOutcome::Exited(code) => format!("[shell exited: code {code}]"),
        ExitOutcome::Killed(signal) => format!("[shell killed by signal: {signal}]"),
    }
}

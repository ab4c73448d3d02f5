//! Graphviz's `dot`, a program that may be on the machine.

use std::io::{ErrorKind, Seek, Write};
use std::process::{Command, Stdio};

use super::USAGE;
use crate::console::say;

/// Draws a graph in Graphviz's language as `svg` or `png`.
///
/// # Errors
/// The exit status, when `dot` is missing or fails; what it says goes to standard error.
pub(super) fn draw(graph: &str, picture: &str) -> Result<Vec<u8>, u8> {
    let failed = |error: std::io::Error| {
        let help = "install Graphviz (package `graphviz`), or write the graph with `--format dot` and draw it elsewhere";
        match error.kind() {
            ErrorKind::NotFound => say(format_args!("error: `dot` is not on this machine, and a picture needs it\nhelp: {help}")),
            _ => say(format_args!("error: `dot` cannot be run: {error}")),
        }
        USAGE
    };
    // From a file, so that neither waits for the other whatever it does first.
    let input = tempfile::tempfile().and_then(|mut file| {
        file.write_all(graph.as_bytes())?;
        file.rewind()?;
        Ok(file)
    });
    let input = input.map_err(|error| {
        say(format_args!("error: a temporary file cannot be written: {error}"));
        USAGE
    })?;
    let mut dot = Command::new("dot");
    dot.arg(format!("-T{picture}")).stdin(input).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let drawn = dot.spawn().and_then(std::process::Child::wait_with_output).map_err(failed)?;
    if drawn.status.success() {
        return Ok(drawn.stdout);
    }
    say(format_args!("error: `dot -T{picture}` failed: {}", drawn.status));
    Err(USAGE)
}

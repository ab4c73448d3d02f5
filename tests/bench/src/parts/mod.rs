//! What is measured, one subject a file.

pub mod check;
pub mod first_build;
pub mod memory;
pub mod rebuild;
pub mod sessions;
pub mod size;
pub mod start;
pub mod step;

use std::io;
use std::process::Command;

/// Runs a command to its end, which must be a good one.
fn complete(mut command: Command) -> io::Result<()> {
    let status = command.status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("{command:?} ended with {status}"))) }
}

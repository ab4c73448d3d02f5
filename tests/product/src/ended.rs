//! A process that has ended.

use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Stdio};

use tokio::process::Command;

use crate::Frame;
use crate::client::PATIENCE;
use crate::place::holds_key;

/// A process that has ended, and what it left.
#[derive(Debug)]
pub struct Ended {
    /// Its exit status, or 128 and the number of the signal that killed it.
    pub status: i32,
    /// All frames that it sent, in order.
    pub frames: Vec<Frame>,
    /// How many of them had been received when its end was waited for.
    pub received: usize,
    /// Standard output of a process that speaks no protocol.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Ended {
    /// The frames that came after its end was waited for.
    #[must_use]
    pub fn late(&self) -> &[Frame] {
        &self.frames[self.received..]
    }
}

/// Runs a process that speaks no protocol to its end.
///
/// # Panics
/// When it does not start or does not end.
pub async fn run_to_end(mut command: Command) -> Ended {
    let child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true).spawn().expect("the binary starts");
    let output =
        tokio::time::timeout(PATIENCE, child.wait_with_output()).await.expect("the process ends in time").expect("its streams can be read");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("streams are UTF-8");
    for stream in [&output.stdout, &output.stderr] {
        assert!(!holds_key(stream), "a standard stream holds the key: {}", String::from_utf8_lossy(stream));
    }
    Ended {
        status: status_number(output.status),
        frames: Vec::new(),
        received: 0,
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
    }
}

pub(crate) fn status_number(status: ExitStatus) -> i32 {
    status.code().or_else(|| status.signal().map(|number| 128 + number)).unwrap_or(-1)
}

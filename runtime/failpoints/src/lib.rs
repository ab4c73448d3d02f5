//! Boundaries of writes at which a test has the process end as if it were killed.
//!
//! Crates that write what must survive depend on this one behind their feature `failpoints`, which no shipped binary has. Which
//! boundary ends the process is said in the environment of the process:
//!
//! ```text
//! DSH_FAILPOINTS="log/append=36*off->return(12)"
//! ```
//!
//! The 37th append to a log gets 12 of its bytes into the file; then the process is gone. Several boundaries are parted by `;`.

use std::io::Write;
use std::sync::Once;

use fail::fail_point;
use rustix::process::{Signal, getpid, kill_process};

/// Variable that arms boundaries.
pub const VARIABLE: &str = "DSH_FAILPOINTS";

/// A boundary between two writes: ends the process here if a test asked for it.
pub fn reach(boundary: &str) {
    if armed(boundary).is_some() {
        end();
    }
}

/// The boundaries within a write of `bytes` to `file`: ends the process after as many of them as a test asked for. The number wraps
/// around at the length, so that a test need not know it.
pub fn tear(boundary: &str, bytes: &[u8], mut file: impl Write) {
    if let Some(argument) = armed(boundary) {
        let wanted: usize = argument.and_then(|count| count.parse().ok()).unwrap_or(0);
        // A write that fails leaves less, which is a crash at an earlier byte.
        let _ = file.write_all(&bytes[..wanted % bytes.len().max(1)]);
        end();
    }
}

/// The argument of an armed boundary whose turn it is.
fn armed(boundary: &str) -> Option<Option<String>> {
    static ARM: Once = Once::new();
    ARM.call_once(|| {
        let asked = std::env::var(VARIABLE).unwrap_or_default();
        for (name, actions) in asked.split(';').filter_map(|one| one.split_once('=')) {
            fail::cfg(name, actions).unwrap_or_else(|error| panic!("{VARIABLE}: `{name}={actions}`: {error}"));
        }
    });
    fail_point!(boundary, Some);
    None
}

fn end() -> ! {
    // A process may always signal itself, and nothing survives this signal.
    let _ = kill_process(getpid(), Signal::KILL);
    std::process::abort()
}

//! What a child without a terminal is started from. Nothing has a default: the caller decides.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use dsh_runtime::CancellationToken;

use crate::EnvironmentChanges;

/// A child with separate streams.
#[derive(Clone, Debug)]
pub struct SpawnSpec {
    /// Program and arguments.
    pub argv: Vec<OsString>,
    /// Working folder.
    pub cwd: PathBuf,
    /// Changes to the environment that children inherit.
    pub environment: EnvironmentChanges,
    /// Standard input.
    pub stdin: StdinSource,
    /// Standard output.
    pub stdout: OutputTarget,
    /// Standard error.
    pub stderr: OutputTarget,
    /// Time between the polite request to end and the kill, and the longest wait for output after the leader's end.
    pub grace: Duration,
    /// Cancelled before: nothing starts. Cancelled later: the tree is terminated.
    pub cancel: CancellationToken,
}

/// Where a child's standard input comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StdinSource {
    /// It is empty.
    Ignore,
    /// The caller writes to it.
    Pipe,
    /// These bytes, then its end. A child that does not read them is no error.
    Data(Vec<u8>),
}

/// Where a stream of a child goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputTarget {
    /// The caller reads it.
    Pipe,
    /// The harness's own stream.
    Inherit,
    /// Kept in memory, the last `max_bytes` of it.
    Collect {
        /// Bytes kept.
        max_bytes: usize,
    },
}

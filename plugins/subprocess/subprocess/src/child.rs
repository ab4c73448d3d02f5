//! A started child with separate streams.

use std::pin::Pin;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};

use crate::{OutputTail, ProcessTree};

/// Reads what a child writes.
pub type PipeReader = Pin<Box<dyn AsyncRead + Send>>;
/// Writes what a child reads.
pub type PipeWriter = Pin<Box<dyn AsyncWrite + Send>>;

/// What [`crate::Subprocess::spawn`] gives.
pub struct Child {
    /// The process and what comes from it.
    pub process: Arc<dyn ProcessTree>,
    /// Its standard input, when it was asked for as a pipe. Dropping it ends the child's input.
    pub stdin: Option<PipeWriter>,
    /// Its standard output.
    pub stdout: ChildOutput,
    /// Its standard error.
    pub stderr: ChildOutput,
}

/// A stream of a child, as it was asked for.
pub enum ChildOutput {
    /// The caller reads it.
    Pipe(PipeReader),
    /// It goes where the harness's own stream goes.
    Inherited,
    /// Its last bytes.
    Collected(Arc<OutputTail>),
}

//! Reading what a process says.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{ChildStderr, ChildStdout};
use tokio::sync::mpsc::UnboundedSender;

use crate::Frame;

/// Most of standard error that is kept, in bytes.
const KEPT: usize = 1024 * 1024;

/// Reads frames until the stream ends.
pub(crate) async fn read_frames(output: ChildStdout, frames: UnboundedSender<Result<Frame, String>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match output.read_until(b'\n', &mut line).await {
            Ok(length) if length > 0 => {}
            _ => return,
        }
        let frame = match line.pop() {
            Some(b'\n') => Frame::read(line),
            _ => Err("standard output ends within a line".to_owned()),
        };
        // A client that is gone has no use for it.
        let _ = frames.send(frame);
    }
}

/// Keeps the end of a stream.
pub(crate) async fn keep(mut stream: ChildStderr, kept: Arc<Mutex<Vec<u8>>>) {
    let mut buffer = [0; 8192];
    while let Ok(length @ 1..) = stream.read(&mut buffer).await {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..length]);
        let excess = kept.len().saturating_sub(KEPT);
        kept.drain(..excess);
    }
}

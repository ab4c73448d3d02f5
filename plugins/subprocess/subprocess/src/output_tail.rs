//! The last bytes of a stream, kept in memory.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// An exact byte tail of a stream. One side appends, any number of sides read; reading consumes nothing.
#[derive(Debug)]
pub struct OutputTail {
    max_bytes: usize,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    /// At most twice the limit, so that the front is cut off rarely.
    bytes: Vec<u8>,
    /// Bytes that were appended in all.
    total: u64,
}

/// What a read gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TailRead {
    /// The bytes from the asked offset on, or the whole tail when some of them are gone.
    pub bytes: Vec<u8>,
    /// Offset at which to read next.
    pub next_offset: u64,
    /// Whether bytes at the asked offset are no longer kept.
    pub lossy: bool,
}

impl OutputTail {
    /// Keeps the last `max_bytes`.
    #[must_use]
    pub fn new(max_bytes: usize) -> Self {
        Self { max_bytes, kept: Mutex::default() }
    }

    /// Adds what the stream gave.
    pub fn append(&self, bytes: &[u8]) {
        let mut kept = self.lock();
        kept.total += bytes.len() as u64;
        let wanted = &bytes[bytes.len().saturating_sub(self.max_bytes)..];
        if kept.bytes.len() + wanted.len() > self.max_bytes.saturating_mul(2) {
            let excess = (kept.bytes.len() + wanted.len()).saturating_sub(self.max_bytes).min(kept.bytes.len());
            kept.bytes.drain(..excess);
        }
        kept.bytes.extend_from_slice(wanted);
    }

    /// What came from `offset` on.
    #[must_use]
    pub fn read_from(&self, offset: u64) -> TailRead {
        let kept = self.lock();
        let tail = &kept.bytes[kept.bytes.len().saturating_sub(self.max_bytes)..];
        let start = kept.total - tail.len() as u64;
        let skipped = usize::try_from(offset.saturating_sub(start)).unwrap_or(usize::MAX).min(tail.len());
        TailRead { bytes: tail[skipped..].to_vec(), next_offset: kept.total, lossy: offset < start }
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

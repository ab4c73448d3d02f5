//! From lines to the bytes of a file.

use std::io;
use std::sync::{Mutex, PoisonError};

use zstd::bulk::Compressor;

use crate::config::Compression;

/// The level that writers of the format use. Higher ones gain next to nothing on frames of one event.
const LEVEL: i32 = 3;

/// The encoding of a store's files.
pub(crate) enum Encoding {
    /// The lines themselves.
    Plain,
    /// A frame for each batch. A context costs more to make than most frames do, so all logs share one.
    Zstd(Mutex<Compressor<'static>>),
}

impl Encoding {
    /// # Errors
    /// When there is no memory for a compressor.
    pub(crate) fn new(compression: Compression) -> io::Result<Self> {
        match compression {
            Compression::None => Ok(Self::Plain),
            Compression::Zstd => {
                let mut compressor = Compressor::new(LEVEL)?;
                compressor.include_checksum(true)?;
                Ok(Self::Zstd(Mutex::new(compressor)))
            }
        }
    }

    /// The bytes that hold a batch of whole lines.
    ///
    /// # Errors
    /// When there is no memory.
    pub(crate) fn encode(&self, lines: Vec<u8>) -> io::Result<Vec<u8>> {
        match self {
            Self::Plain => Ok(lines),
            Self::Zstd(compressor) => compressor.lock().unwrap_or_else(PoisonError::into_inner).compress(&lines),
        }
    }
}

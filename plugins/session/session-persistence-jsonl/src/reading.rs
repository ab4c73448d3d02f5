//! Reading the file of a log, a block at a time.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::config::Compression;
use crate::frames::{self, Begin, Frames, MAGIC, Piece};
use crate::lines::{Lines, MOST_LINE_BYTES};
use crate::refusal::Refusal;
use crate::scan::{End, Scan, Scanner};

/// Bytes of a file or of its text that are looked at at once.
const BLOCK_BYTES: usize = 128 * 1024;

/// Reads the first `length` bytes of a log. In memory are a line, a block and what is kept; of a compressed log also the window
/// of its frames.
///
/// # Errors
/// When it is damaged, or of another version or vocabulary, or cannot be read.
pub(crate) fn read(path: &Path, length: u64, compression: Compression, scanner: Scanner) -> Result<Scan, Refusal> {
    let file = part(path, 0, length)?;
    match compression {
        Compression::None => read_text(file, length, scanner),
        Compression::Zstd => read_frames(path, Frames::new(file)?, length, scanner),
    }
}

fn read_text(mut file: impl Read, length: u64, mut scanner: Scanner) -> Result<Scan, Refusal> {
    let mut lines = Lines::new(MOST_LINE_BYTES);
    let (mut block, mut at) = (Vec::new(), 0);
    while next_block(&mut file, &mut block)? {
        at += block.len() as u64;
        lines.feed(&block, |line| scanner.line(line))?;
    }
    if at < length {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
    }
    let stays = scanner.whole();
    scanner.finish(End { stays, carried: 0 })
}

/// In a whole frame every line must hold. The last frame may be incomplete; then its lines are carried over as far as they hold.
fn read_frames(path: &Path, mut frames: Frames<impl Read>, length: u64, mut scanner: Scanner) -> Result<Scan, Refusal> {
    let mut lines = Lines::new(MOST_LINE_BYTES);
    let mut block = vec![0; BLOCK_BYTES];
    loop {
        let (start, before) = (frames.at(), scanner.whole());
        let corrupt = |reason: &str| Refusal::Corrupt(reason.to_owned()).in_frame(start);
        let last = match frames.begin()? {
            Begin::Nothing if start < length => return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
            Begin::Nothing => return scanner.finish(End { stays: start, carried: 0 }),
            Begin::Torn => Piece::Torn,
            Begin::Frame => loop {
                match frames.read(&mut block)? {
                    Piece::Text(made) => {
                        lines.feed(&block[..made], |line| scanner.line(line)).map_err(|refusal| refusal.in_frame(start))?;
                    }
                    last => break last,
                }
            },
        };
        let carried = scanner.whole() - before;
        match (last, scanner.broken()) {
            (Piece::Torn, _) if before == 0 => return Err(Refusal::Corrupt("it has no complete header line".to_owned())),
            (Piece::Torn, _) if has_frame(path, start + 1, length)? => return Err(corrupt("another one begins before it ends")),
            (Piece::Torn, _) if carried > MOST_LINE_BYTES as u64 => {
                return Err(Refusal::Unsupported(format!("its incomplete last frame holds more than {MOST_LINE_BYTES} bytes")));
            }
            (Piece::Torn, _) => return scanner.finish(End { stays: start, carried }),
            (_, Some(reason)) => return Err(corrupt(reason)),
            _ if !lines.is_whole() => return Err(corrupt("its last line has no end")),
            _ if before == 0 && scanner.length() != Some(0) => return Err(corrupt("it does not hold the header alone")),
            _ => {}
        }
    }
}

/// Whether a frame that can be decoded begins in a part of a file. What lies before it is no incomplete end then, but damage.
fn has_frame(path: &Path, start: u64, end: u64) -> io::Result<bool> {
    let (mut file, mut block, mut at) = (part(path, start, end)?, Vec::new(), start);
    let mut seen: Vec<u8> = Vec::new();
    while next_block(&mut file, &mut block)? {
        // The first bytes of a frame may stand in two blocks.
        seen.extend_from_slice(&block);
        for found in seen.windows(MAGIC.len()).enumerate().filter(|(_, bytes)| *bytes == MAGIC).map(|(found, _)| found) {
            if matches!(frames::decode(part(path, at + found as u64, end)?, |_| true), Ok(Piece::Whole)) {
                return Ok(true);
            }
        }
        let rest = seen.len().saturating_sub(MAGIC.len() - 1);
        seen.drain(..rest);
        at += rest as u64;
    }
    Ok(false)
}

/// A part of a file.
pub(crate) fn part(path: &Path, start: u64, end: u64) -> io::Result<impl Read + use<>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(start))?;
    Ok(file.take(end.saturating_sub(start)))
}

/// Reads the next block. Yields whether there was one.
fn next_block(file: &mut impl Read, block: &mut Vec<u8>) -> io::Result<bool> {
    block.clear();
    file.take(BLOCK_BYTES as u64).read_to_end(block)?;
    Ok(!block.is_empty())
}

//! Logs as they lie on disk, plain or compressed, also those whose writer was killed.

use std::fs;
use std::io::Read;
use std::path::Path;

use dsh_product_tests::Log;
use serde_json::Value;

/// A log as far as it holds whole lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// The first line.
    pub header: Value,
    /// The events, one by one.
    pub events: Vec<Value>,
    /// Whether its file ends within a line or a frame.
    pub torn: bool,
}

/// Reads a log; `None` where there is not even a whole header.
///
/// # Errors
/// When the file cannot be read or a whole line is no JSON.
pub fn read(path: &Path) -> Result<Option<Stored>, String> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (bytes, whole_frames) = if path.extension().is_some_and(|end| end == "zstd") { decoded(&bytes) } else { (bytes, true) };
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    if whole == 0 {
        return Ok(None);
    }
    let text = std::str::from_utf8(&bytes[..whole]).map_err(|error| format!("{}: {error}", path.display()))?;
    let Log { header, events } = Log::parse(text);
    Ok(Some(Stored { header, events, torn: !whole_frames || whole < bytes.len() }))
}

/// The text of all frames, and of the last one as far as it goes; and whether all are whole.
fn decoded(bytes: &[u8]) -> (Vec<u8>, bool) {
    let mut text = Vec::new();
    let Ok(mut decoder) = zstd::stream::read::Decoder::new(bytes) else { return (text, false) };
    let mut block = [0; 16 * 1024];
    loop {
        match decoder.read(&mut block) {
            Ok(0) => return (text, true),
            Ok(length) => text.extend_from_slice(&block[..length]),
            Err(_) => return (text, false),
        }
    }
}

//! Headers of stored sessions. A file that is no session hides no other.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use dsh_session::SessionHeader;

use crate::config::Compression;
use crate::frames::{self, Piece};
use crate::header;
use crate::layout::Stored;
use crate::refusal::Refusal;
use crate::store::Store;

/// Longest header line that is read. Its members are names and paths, which are a few kilobytes at most.
const MOST_HEADER_BYTES: usize = 1024 * 1024;

/// The headers that can be read, by id. What cannot is reported through tracing.
pub(crate) fn headers(store: &Store, stored: &[Stored]) -> Vec<SessionHeader> {
    let mut headers = BTreeMap::new();
    for log in stored {
        let path = &log.path;
        if let Some(reason) = store.settings.layout.foreign(log) {
            passed_over(path, reason);
            continue;
        }
        match read(log) {
            Ok(header) if !store.is_place_of(&header, path) => passed_over(path, "its header belongs to another place in the store"),
            Ok(header) => {
                if headers.contains_key(&header.id) {
                    passed_over(path, "another log has the same id");
                } else {
                    headers.insert(header.id.clone(), header);
                }
            }
            Err(refusal) => passed_over(path, &refusal.reason()),
        }
    }
    headers.into_values().collect()
}

fn passed_over(path: &Path, reason: &str) {
    tracing::warn!(path = %path.display(), reason, "a log of the session store is left out of the list");
}

/// Reads the header of a log and nothing else of it.
///
/// # Errors
/// When it is not there, or has not today's form.
pub(crate) fn read(Stored { path, compression }: &Stored) -> Result<SessionHeader, Refusal> {
    let file = File::open(path)?;
    let mut line = Vec::new();
    let is_whole = match compression {
        Compression::None => {
            BufReader::new(file.take(MOST_HEADER_BYTES as u64)).read_until(b'\n', &mut line)?;
            true
        }
        Compression::Zstd => {
            let decoded = frames::decode(file, |text| {
                line.extend_from_slice(text);
                line.len() <= MOST_HEADER_BYTES
            });
            decoded? == Piece::Whole
        }
    };
    if !is_whole || line.pop() != Some(b'\n') {
        return Err(Refusal::Corrupt("it has no complete header line".to_owned()));
    }
    header::read_any_version(&line)
}

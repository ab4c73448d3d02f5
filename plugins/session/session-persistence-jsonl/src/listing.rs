//! Headers of stored sessions. A file that is no session hides no other.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use dsh_session::SessionHeader;

use crate::header;
use crate::layout::Stored;
use crate::refusal::Refusal;
use crate::store::Store;

/// Longest header line that is read. Its members are names and paths, which are a few kilobytes at most.
const MOST_HEADER_BYTES: u64 = 1024 * 1024;

/// The headers that can be read, by id. What cannot is reported through tracing.
pub(crate) fn headers(store: &Store, stored: &[Stored]) -> Vec<SessionHeader> {
    let mut headers = BTreeMap::new();
    for Stored { path, compressed } in stored {
        if *compressed {
            passed_over(path, "the log is compressed");
            continue;
        }
        match first_line(path) {
            Ok(header) if !store.is_place_of(&header, path) => passed_over(path, "its header belongs to another place in the store"),
            Ok(header) => {
                if headers.contains_key(&header.id) {
                    passed_over(path, "another log has the same id");
                } else {
                    headers.insert(header.id.clone(), header);
                }
            }
            Err(reason) => passed_over(path, &reason),
        }
    }
    headers.into_values().collect()
}

fn passed_over(path: &Path, reason: &str) {
    tracing::warn!(path = %path.display(), reason, "a log of the session store is left out of the list");
}

fn first_line(path: &Path) -> Result<SessionHeader, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut line = Vec::new();
    BufReader::new(file.take(MOST_HEADER_BYTES)).read_until(b'\n', &mut line).map_err(|error| error.to_string())?;
    if line.pop() != Some(b'\n') {
        return Err("it has no complete header line".to_owned());
    }
    header::read_any_version(&line).map_err(|(Refusal::Unsupported(reason) | Refusal::Corrupt(reason))| reason)
}

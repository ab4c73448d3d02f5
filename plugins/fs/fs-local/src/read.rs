//! Reading: regular files only, never more than the limit.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use dsh_fs::{FsError, FsErrorCode};
use dsh_runtime::CancellationToken;
use rustix::fs::OFlags;

use crate::failure::{check_cancelled, from_io};
use crate::metadata::require_regular;

/// A NUL within this many bytes from the start makes a file binary to a reader; text formats have none there.
const BINARY_PROBE_BYTES: usize = 8192;
/// Bytes read between two looks at the cancellation token.
const CHUNK_BYTES: u64 = 256 * 1024;
/// Opening a pipe without a writer would block otherwise.
const NONBLOCK: i32 = OFlags::NONBLOCK.bits() as i32;

/// The bytes of a file; `shown` names it in an error.
pub fn bytes(path: &Path, shown: &Path, max_bytes: u64, cancel: &CancellationToken) -> Result<Vec<u8>, FsError> {
    let (file, metadata) = open(path, shown)?;
    content(file, metadata.len(), max_bytes, shown, cancel)
}

/// The text of a file.
pub fn text(path: &Path, shown: &Path, max_bytes: u64, cancel: &CancellationToken) -> Result<String, FsError> {
    let bytes = bytes(path, shown, max_bytes, cancel)?;
    decode(bytes, BINARY_PROBE_BYTES, shown)
}

/// Opens a regular file.
pub fn open(path: &Path, shown: &Path) -> Result<(File, Metadata), FsError> {
    let fail = |error: &io::Error| from_io(error, "read", shown);
    // Asked before opening, because opening a device can have effects; asked again of what was opened.
    require_regular(&std::fs::metadata(path).map_err(|error| fail(&error))?, shown)?;
    let file = File::options().read(true).custom_flags(NONBLOCK).open(path).map_err(|error| fail(&error))?;
    let metadata = file.metadata().map_err(|error| fail(&error))?;
    require_regular(&metadata, shown)?;
    Ok((file, metadata))
}

/// Reads an open file to its end; `size` is what it was when opened, and it may grow meanwhile.
pub fn content(file: File, size: u64, max_bytes: u64, shown: &Path, cancel: &CancellationToken) -> Result<Vec<u8>, FsError> {
    let too_large = || FsError::new(FsErrorCode::TooLarge, format!("`{}` has more than {max_bytes} bytes", shown.display()));
    if size > max_bytes {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    let mut rest = file;
    loop {
        check_cancelled(cancel)?;
        let read = rest.by_ref().take(CHUNK_BYTES).read_to_end(&mut bytes).map_err(|error| from_io(&error, "read", shown))?;
        if bytes.len() as u64 > max_bytes {
            return Err(too_large());
        }
        if read == 0 {
            return Ok(bytes);
        }
    }
}

/// Decodes strict UTF-8 without a leading byte order mark; a NUL within the first `probe` bytes is refused.
pub fn decode(bytes: Vec<u8>, probe: usize, shown: &Path) -> Result<String, FsError> {
    let refuse = |what: &str| FsError::new(FsErrorCode::NotText, format!("`{}` {what}", shown.display()));
    if bytes.iter().take(probe).any(|byte| *byte == 0) {
        return Err(refuse("is a binary file"));
    }
    let text = String::from_utf8(bytes).map_err(|_| refuse("is not UTF-8 text"))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

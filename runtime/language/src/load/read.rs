//! Reads a file whole.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use super::rules;
use crate::diagnostics::{Diagnostic, Place, SourceFile};

/// Largest file that is read, in bytes. The shipped compositions of the reference take about 50 kB each.
pub const MAX_BYTES: u64 = 1 << 20;

/// Reads a file as UTF-8 text without a byte order mark. `name` is how messages call it, `origin` how generated files do.
///
/// # Errors
/// What is wrong with the file.
pub fn read(path: &Path, name: &str, origin: &str) -> Result<Arc<SourceFile>, Box<Diagnostic>> {
    let mut bytes = Vec::new();
    // One byte more than allowed tells a large file from a longest one.
    File::open(path)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| rules::unreadable_file(name, &error))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Box::new(rules::file_too_large(name)));
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            // Up to the first bad byte the lossy text has the same bytes, and there the replacement character.
            let at = error.utf8_error().valid_up_to();
            let file = SourceFile::new(name, String::from_utf8_lossy(error.as_bytes()));
            let end = at + char::REPLACEMENT_CHARACTER.len_utf8();
            return Err(Box::new(rules::not_utf8(&Place::new(&file, at..end))));
        }
    };
    let file = SourceFile::with_origin(name, origin, text.strip_prefix('\u{feff}').unwrap_or(&text));
    match file.text().find('\0') {
        Some(at) => Err(Box::new(rules::control_character(&Place::new(&file, at..at + 1)))),
        None => Ok(file),
    }
}

/// A name without the characters that would break a line, or change the direction of what is read.
#[must_use]
pub fn printable(name: &str) -> String {
    let mut printable = String::with_capacity(name.len());
    for letter in name.chars() {
        let turns = matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        match letter.is_control() || turns {
            true => printable.extend(letter.escape_default()),
            false => printable.push(letter),
        }
    }
    printable
}

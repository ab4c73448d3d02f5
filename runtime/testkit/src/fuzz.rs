//! Inputs for tests of what reads bytes from outside: a kept corpus, and changes of it. How they are combined is the test's affair,
//! with proptest for instance, which shrinks what fails.

use std::fs;
use std::path::Path;

/// Variable with the number of generated cases for each property.
const CASES: &str = "DSH_FUZZ_CASES";
/// How many there are without it: a few seconds for all properties together.
const USUAL_CASES: u32 = 256;

/// The kept inputs of a folder, by file name, sorted. Each name says why the input is kept.
///
/// # Panics
/// When there is none, or one cannot be read.
#[must_use]
pub fn kept_inputs(folder: impl AsRef<Path>) -> Vec<(String, Vec<u8>)> {
    let folder = folder.as_ref();
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut inputs: Vec<(String, Vec<u8>)> = entries
        .map(|entry| {
            let path = entry.expect("a folder of inputs can be listed").path();
            let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), bytes)
        })
        .collect();
    assert!(!inputs.is_empty(), "{} holds no inputs", folder.display());
    inputs.sort();
    inputs
}

/// How many cases a property is tried with: the variable `DSH_FUZZ_CASES`, else 256.
///
/// # Panics
/// When the variable holds no number.
#[must_use]
pub fn fuzz_cases() -> u32 {
    let set = std::env::var(CASES).ok();
    set.map_or(USUAL_CASES, |count| count.parse().unwrap_or_else(|_| panic!("{CASES} is a number of cases")))
}

/// A change of an input: where, relative to its length, what kind, and with which byte.
pub type Change = (u16, u8, u8);

/// An input after changes, in order. Every kind of change keeps it short: at most as many bytes come in as there are changes, besides
/// copies of a part of at most 64 bytes each.
#[must_use]
pub fn changed(input: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for &(place, kind, byte) in changes {
        let at = usize::from(place) * bytes.len() / (usize::from(u16::MAX) + 1);
        let end = (at + usize::from(byte % 64) + 1).min(bytes.len());
        match kind % 7 {
            0 => bytes.insert(at, byte),
            1 => bytes.truncate(at),
            2 => drop(bytes.drain(at..end)),
            3 => {
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
            4 if at < bytes.len() => bytes[at] ^= 1 << (byte % 8),
            // Characters that mean something to most readers.
            5 if at < bytes.len() => bytes[at] = b"\n\r\"\\{}[]:,0-\0\xff"[usize::from(byte) % 14],
            _ if at < bytes.len() => bytes[at] = byte,
            _ => bytes.push(byte),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::changed;

    #[test]
    fn changes_act_where_they_say_also_on_nothing() {
        assert_eq!(changed(b"abcd", &[(0, 0, b'x'), (u16::MAX, 4, 0)]), b"xabce");
        assert_eq!(changed(b"abcd", &[(0x8000, 1, 0)]), b"ab");
        assert_eq!(changed(b"abcd", &[(0, 2, 1)]), b"cd");
        assert_eq!(changed(b"abcd", &[(0, 3, 1)]), b"ababcd");
        for kind in 0..=255 {
            assert!(changed(b"", &[(u16::MAX, kind, 255)]).len() <= 1);
        }
    }
}

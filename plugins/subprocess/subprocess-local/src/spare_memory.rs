//! Gives back what a fork without an exec holds of its parent's memory. Without it the fork would keep every page that its parent
//! had, as it was, while the parent changes its own.

use rustix::fs::{Mode, OFlags};

/// Bytes of the list of mappings that are read at once.
const BLOCK_BYTES: usize = 1024;
/// Bytes of a line that are looked at; a mapping without a file has a short one.
const LINE_BYTES: usize = 128;

/// Gives back all private memory without a file but the stack that this runs on and what the C library keeps for the thread. Its
/// content is zero from then on.
///
/// # Safety
/// Nothing that follows may use a value of the heap or of a static that is not constant: no allocation, and of the C library no more
/// than system calls.
#[allow(unsafe_code, reason = "memory is taken away from under whoever uses it")]
pub unsafe fn give_back() {
    let Ok(mappings) = rustix::fs::open(c"/proc/self/maps", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()) else { return };
    let (mut block, mut line, mut length) = ([0_u8; BLOCK_BYTES], [0_u8; LINE_BYTES], 0);
    // SAFETY: it only tells where the thread has its error number, which lies in the thread's own memory.
    let spared = [(&raw const block).addr(), unsafe { libc::__errno_location() }.addr()];
    while let Ok(count @ 1..) = rustix::io::read(&mappings, &mut block) {
        for byte in block.get(..count).unwrap_or_default() {
            if *byte != b'\n' {
                if let Some(place) = line.get_mut(length) {
                    *place = *byte;
                }
                length += 1;
                continue;
            }
            let range = line.get(..length).and_then(without_file);
            if let Some((start, end)) = range.filter(|(start, end)| !spared.iter().any(|address| (*start..*end).contains(address))) {
                // SAFETY: the range is a mapping of this process and the caller promised not to use what is in it.
                unsafe { libc::madvise(std::ptr::without_provenance_mut(start), end - start, libc::MADV_DONTNEED) };
            }
            length = 0;
        }
    }
}

/// The range of a mapping that is private, can be written and has no file; the main thread's stack has a name and is not meant.
fn without_file(line: &[u8]) -> Option<(usize, usize)> {
    let mut fields = std::str::from_utf8(line).ok()?.split_ascii_whitespace();
    let (range, rights, _offset, _device, file) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    let is_memory = match fields.next() {
        None => true,
        Some(name) => name == "[heap]" || name.starts_with("[anon"),
    };
    let (start, end) = range.split_once('-')?;
    let address = |text| usize::from_str_radix(text, 16).ok();
    if is_memory && rights == "rw-p" && file == "0" { Some((address(start)?, address(end)?)) } else { None }
}

#[cfg(test)]
mod tests {
    use super::without_file;

    #[test]
    fn only_private_memory_without_a_file_is_given_back() {
        for (line, expected) in [
            ("7f00000-7f21000 rw-p 00000000 00:00 0 ", Some((0x7f0_0000, 0x7f2_1000))),
            ("55a0000-55c1000 rw-p 00000000 00:00 0                          [heap]", Some((0x55a_0000, 0x55c_1000))),
            ("7f00000-7f21000 rw-p 00000000 00:00 0                          [anon:glibc]", Some((0x7f0_0000, 0x7f2_1000))),
            ("7ffd000-7fff000 rw-p 00000000 00:00 0                          [stack]", None),
            ("7f00000-7f21000 r--p 00000000 00:00 0 ", None),
            ("7f00000-7f21000 rw-s 00000000 00:00 0 ", None),
            ("7f00000-7f21000 rw-p 00003000 fe:00 1834                       /usr/lib/libc.so.6", None),
            ("", None),
        ] {
            assert_eq!(without_file(line.as_bytes()), expected, "{line}");
        }
    }
}

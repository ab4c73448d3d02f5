//! Killing processes by a mark in their environment, without allocating: it runs in a fork of a process with several threads.

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{Mode, OFlags, RawDir};
use rustix::process::{Pid, PidfdFlags, Signal};

/// Bytes of a folder's entries that are read at once.
const ENTRIES_BYTES: usize = 4096;
/// Bytes of an environment that are looked at at once.
const WINDOW_BYTES: usize = 8192;
/// Bytes of the longest number of a process, and of the path of its environment.
const PATH_BYTES: usize = 32;

/// Kills every process whose environment holds `wanted`, which starts with a zero byte. Yields how many there were.
pub fn kill_all(wanted: &[u8]) -> u32 {
    let Ok(processes) = open(rustix::fs::CWD, c"/proc", OFlags::DIRECTORY) else { return 0 };
    let mut entries = [MaybeUninit::uninit(); ENTRIES_BYTES];
    let mut folder = RawDir::new(&processes, &mut entries);
    let mut killed = 0;
    while let Some(Ok(entry)) = folder.next() {
        killed += u32::from(kill_marked(processes.as_fd(), entry.file_name(), wanted).is_some());
    }
    killed
}

/// Kills the process with this number if it is marked.
fn kill_marked(processes: BorrowedFd<'_>, name: &CStr, wanted: &[u8]) -> Option<()> {
    let number = name.to_bytes().iter().try_fold(0_i32, |number, digit| match digit {
        b'0'..=b'9' => number.checked_mul(10)?.checked_add(i32::from(digit - b'0')),
        _ => None,
    })?;
    // Held before it is looked at, so that the number cannot come to mean another process.
    let process = rustix::process::pidfd_open(Pid::from_raw(number)?, PidfdFlags::empty()).ok()?;
    let mut path = [0_u8; PATH_BYTES];
    let parts = name.to_bytes().iter().chain(b"/environ");
    path.iter_mut().zip(parts).for_each(|(place, byte)| *place = *byte);
    let environment = open(processes, CStr::from_bytes_until_nul(&path).ok()?, OFlags::empty()).ok()?;
    if !holds(&environment, wanted) {
        return None;
    }
    rustix::process::pidfd_send_signal(&process, Signal::KILL).ok()
}

/// Whether what can be read from here holds `wanted`; a zero byte counts as standing before it.
fn holds(environment: &OwnedFd, wanted: &[u8]) -> bool {
    let mut window = [0_u8; WINDOW_BYTES];
    let mut kept = 1;
    while let Some(room) = window.get_mut(kept..) {
        let length = match rustix::io::read(environment, room) {
            Ok(length @ 1..) => kept + length,
            Ok(0) | Err(_) => return false,
        };
        let seen = window.get(..length).unwrap_or_default();
        if seen.windows(wanted.len()).any(|bytes| bytes == wanted) {
            return true;
        }
        // What may be the beginning of it stays.
        let from = length.saturating_sub(wanted.len());
        window.copy_within(from..length, 0);
        kept = length - from;
    }
    false
}

fn open(folder: BorrowedFd<'_>, path: &CStr, flags: OFlags) -> rustix::io::Result<OwnedFd> {
    rustix::fs::openat(folder, path, OFlags::RDONLY | OFlags::CLOEXEC | flags, Mode::empty())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::{WINDOW_BYTES, holds};

    #[test]
    fn a_mark_is_found_wherever_it_stands_and_only_at_the_start_of_a_variable() {
        let wanted = b"\0MARK=7.";
        let holds = |text: &[u8]| {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(text).unwrap();
            std::io::Seek::rewind(&mut file).unwrap();
            holds(&file.into(), wanted)
        };
        assert!(holds(b"MARK=7.1/\0A=b\0"));
        assert!(!holds(b"XMARK=7.1/\0MARK=8.1/\0"));
        assert!(!holds(b""));
        for before in WINDOW_BYTES - 12..WINDOW_BYTES + 4 {
            let text = [&vec![b'x'; before][..], b"\0MARK=7.2/\0"].concat();
            assert!(holds(&text), "{before} bytes before it");
        }
    }
}

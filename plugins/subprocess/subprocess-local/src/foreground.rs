//! Whether a foreground group waits for terminal input, proved from what `/proc` tells of its threads.

use std::fs::{self, File};
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt};

use dsh_subprocess::InputWait;

use crate::proc_table;

/// System calls in which a thread can wait for input, by their numbers on the target.
#[cfg(target_arch = "x86_64")]
mod number {
    pub const READ: &[u64] = &[0, 19];
    pub const POLL: &[u64] = &[7, 271];
    pub const SELECT: &[u64] = &[23, 270];
    pub const EPOLL: &[u64] = &[232, 281, 441];
}

/// System calls in which a thread can wait for input, by their numbers on the target.
#[cfg(target_arch = "aarch64")]
mod number {
    pub const READ: &[u64] = &[63, 65];
    pub const POLL: &[u64] = &[73];
    pub const SELECT: &[u64] = &[72];
    pub const EPOLL: &[u64] = &[22, 441];
}

/// Descriptors of one wait that are looked at; programs that read a terminal wait on a few.
const MOST_DESCRIPTORS: u64 = 1024;
/// Bytes of a `struct pollfd`: descriptor (4), wanted events (2), reported events (2).
const POLL_ENTRY_BYTES: usize = 8;
/// `POLLIN`, and `EPOLLIN` too.
const READABLE: u32 = 1;
/// Device number of `/dev/tty`, major 5 and minor 0.
const CONTROLLING_TERMINAL: u64 = 5 << 8;

/// Looks at all threads of the processes of `group` in the session of `leader`.
pub fn input_wait(group: u32, leader: u32) -> InputWait {
    let Ok(table) = proc_table::look() else { return InputWait::Unknown };
    // The leader's own standard streams were opened on the terminal; bash keeps a copy of them, so one is always there.
    let Some(terminal) = terminal_of(leader) else { return InputWait::Unknown };
    let mut answer = InputWait::No;
    for process in table.entries.iter().filter(|entry| entry.group == group && entry.session == leader && !entry.ended) {
        let Ok(threads) = fs::read_dir(format!("/proc/{}/task", process.pid)) else { continue };
        for thread in threads.flatten() {
            match fs::read_to_string(thread.path().join("syscall")) {
                Ok(call) if Waiting::parse(&call).is_some_and(|wait| wait.on_terminal(process.pid, terminal)) => return InputWait::Proven,
                Ok(_) => {}
                Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => answer = InputWait::Unknown,
                // A thread that has ended waits for nothing.
                Err(_) => {}
            }
        }
    }
    answer
}

/// Device number of the terminal that a session's leader has open.
fn terminal_of(leader: u32) -> Option<u64> {
    let open = fs::read_dir(format!("/proc/{leader}/fd")).ok()?;
    let devices = open.flatten().filter_map(|link| fs::metadata(link.path()).ok()).filter(|found| found.file_type().is_char_device());
    // Major numbers 136 to 143 are those of pseudo-terminals (the kernel's list of devices).
    devices.map(|found| found.rdev()).find(|device| (136..=143).contains(&(device >> 8 & 0xfff)))
}

/// A system call in which a thread is blocked.
struct Waiting {
    call: u64,
    arguments: [u64; 3],
}

impl Waiting {
    /// Reads `/proc/…/syscall`: the call's number in decimal, then its arguments in hexadecimal; `running` when it is in none.
    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_ascii_whitespace();
        let call = words.next()?.parse().ok()?;
        let mut argument = || u64::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok();
        Some(Self { call, arguments: [argument()?, argument()?, argument()?] })
    }

    fn on_terminal(&self, pid: u32, terminal: u64) -> bool {
        let [first, second, _] = self.arguments;
        let is_terminal = |descriptor: u64| is_open_on(pid, descriptor, terminal);
        if number::READ.contains(&self.call) {
            is_terminal(first)
        } else if number::POLL.contains(&self.call) {
            polled(pid, first, second).into_iter().any(is_terminal)
        } else if number::SELECT.contains(&self.call) {
            selected(pid, first, second).into_iter().any(is_terminal)
        } else if number::EPOLL.contains(&self.call) {
            watched(pid, first).into_iter().any(is_terminal)
        } else {
            false
        }
    }
}

fn is_open_on(pid: u32, descriptor: u64, terminal: u64) -> bool {
    let found = fs::metadata(format!("/proc/{pid}/fd/{descriptor}"));
    found.is_ok_and(|found| found.file_type().is_char_device() && [terminal, CONTROLLING_TERMINAL].contains(&found.rdev()))
}

/// Descriptors that a `poll` waits to read from.
fn polled(pid: u32, list: u64, count: u64) -> Vec<u64> {
    let Some(bytes) = memory(pid, list, count.min(MOST_DESCRIPTORS) as usize * POLL_ENTRY_BYTES) else { return Vec::new() };
    let entries = bytes.chunks_exact(POLL_ENTRY_BYTES);
    let wanted = entries.filter(|entry| u32::from(u16::from_ne_bytes([entry[4], entry[5]])) & READABLE != 0);
    wanted.map(|entry| u64::from(u32::from_ne_bytes([entry[0], entry[1], entry[2], entry[3]]))).collect()
}

/// Descriptors that a `select` waits to read from.
fn selected(pid: u32, count: u64, set: u64) -> Vec<u64> {
    let count = count.min(MOST_DESCRIPTORS);
    if set == 0 {
        return Vec::new();
    }
    let Some(bits) = memory(pid, set, (count as usize).div_ceil(64) * 8) else { return Vec::new() };
    // Bit n of the set is bit n % 64 of its word n / 64; in little-endian order that is bit n % 8 of byte n / 8.
    (0..count).filter(|descriptor| bits[*descriptor as usize / 8] >> (descriptor % 8) & 1 == 1).collect()
}

/// Descriptors that an epoll instance waits to read from.
fn watched(pid: u32, instance: u64) -> Vec<u64> {
    let Ok(text) = fs::read_to_string(format!("/proc/{pid}/fdinfo/{instance}")) else { return Vec::new() };
    let entry = |line: &str| {
        let mut words = line.strip_prefix("tfd:")?.split_ascii_whitespace();
        let descriptor = words.next()?.parse().ok()?;
        let events = u32::from_str_radix(words.nth(1)?, 16).ok()?;
        (events & READABLE != 0).then_some(descriptor)
    };
    text.lines().filter_map(entry).collect()
}

fn memory(pid: u32, address: u64, length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; length];
    File::open(format!("/proc/{pid}/mem")).ok()?.read_exact_at(&mut bytes, address).ok()?;
    Some(bytes)
}

//! The table of processes as `/proc` shows it.

use std::fs;
use std::io;

/// One process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessEntry {
    /// Its number.
    pub pid: u32,
    /// Its parent.
    pub parent: u32,
    /// Its process group.
    pub group: u32,
    /// Its session.
    pub session: u32,
    /// Whether it has ended and waits to be reaped.
    pub ended: bool,
    /// When it started, in clock ticks since boot: with the number it names a process for good.
    pub started: u64,
}

/// All processes.
pub fn all() -> io::Result<Vec<ProcessEntry>> {
    let mut entries = Vec::new();
    for folder in fs::read_dir("/proc")? {
        if let Some(pid) = folder?.file_name().to_str().and_then(|name| name.parse().ok()) {
            entries.extend(entry(pid));
        }
    }
    Ok(entries)
}

/// One process, while it is there.
pub fn entry(pid: u32) -> Option<ProcessEntry> {
    let text = fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The name, in parentheses, may hold anything, so fields are counted from its last `)`.
    let end_of_name = text.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(text.get(end_of_name + 1..)?).ok()?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse().ok();
    Some(ProcessEntry {
        pid,
        parent: number(1)?,
        // Both are 0 for processes of an outer namespace and may be negative nowhere.
        group: number(2)?,
        session: number(3)?,
        ended: matches!(*fields.first()?, "Z" | "X"),
        started: fields.get(19)?.parse().ok()?,
    })
}

/// Value of a variable in the environment with which a process was started; `None` when it has none or may not be read.
pub fn variable(pid: u32, name: &str) -> Option<Vec<u8>> {
    let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
    let value = environment.split(|byte| *byte == 0).find_map(|pair| pair.strip_prefix(name.as_bytes())?.strip_prefix(b"="))?;
    Some(value.to_vec())
}

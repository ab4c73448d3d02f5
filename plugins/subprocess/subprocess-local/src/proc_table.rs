//! The table of processes as `/proc` shows it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::LazyLock;

/// One process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessEntry {
    /// Its number.
    pub pid: u32,
    /// Its parent's number.
    pub parent: u32,
    /// The number of its process group's leader.
    pub group: u32,
    /// The number of its session's leader.
    pub session: u32,
    /// Whether it has ended and waits to be reaped.
    pub ended: bool,
    /// How many threads it has.
    pub threads: u32,
    /// When it started, in clock ticks since boot: with the number it names a process for good.
    pub started: u64,
}

/// What one look at the table gave. Numbers are listed first and states read then, so a process that is started in between is
/// missing.
pub struct ProcessTable {
    /// The processes that were there throughout.
    pub entries: Vec<ProcessEntry>,
    /// How many ended between being listed and being read, or may be missing.
    pub vanished: usize,
}

/// Looks at all processes.
pub fn look() -> io::Result<ProcessTable> {
    let mut table = ProcessTable { entries: Vec::new(), vanished: 0 };
    for folder in fs::read_dir("/proc")? {
        let Some(pid) = folder?.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        match entry(pid) {
            Some(entry) => table.entries.push(entry),
            None => table.vanished += 1,
        }
    }
    Ok(table)
}

/// Looks at all that descends from this process, of whose children `started` are known. The kernel's lists of children make this cost
/// by the descendants that there are; where it keeps none, all processes of the machine are looked at.
pub fn look_below(started: &BTreeSet<u32>) -> ProcessTable {
    static HAS_LISTS: LazyLock<bool> = LazyLock::new(|| File::open("/proc/thread-self/children").is_ok());
    let mut table = ProcessTable { entries: Vec::new(), vanished: 0 };
    if !*HAS_LISTS {
        // Without a table nothing can be found.
        return look().unwrap_or(table);
    }
    let own = std::process::id();
    // Orphans are adopted by the first thread. The others may be many; what they started is known, or no descendant that is looked for.
    let mut open = vec![(own, Threads::One)];
    while let Some((parent, threads)) = open.pop() {
        let (mut listed, is_sure) = listed_children(parent, threads);
        table.vanished += usize::from(!is_sure);
        if parent == own {
            listed.extend(started);
            listed.sort_unstable();
            listed.dedup();
        }
        for pid in listed {
            let Some(entry) = entry(pid) else {
                table.vanished += 1;
                continue;
            };
            table.entries.push(entry);
            match entry.threads {
                // One that has ended has handed its children over.
                0 | 1 if entry.ended => {}
                0 | 1 => open.push((pid, Threads::One)),
                _ => open.push((pid, Threads::Many)),
            }
        }
    }
    table
}

/// Which threads' children are listed. A process that starts its second one meanwhile lives, so it is looked at again.
#[derive(Clone, Copy)]
enum Threads {
    /// The first one's, whose number is the process's.
    One,
    /// All of them, which are listed first.
    Many,
}

/// The numbers of a process's children, none when it has ended, and whether that is all of them for certain: a list can lack one
/// while another child is reaped, so it is sure only when it came out the same twice.
fn listed_children(parent: u32, threads: Threads) -> (Vec<u32>, bool) {
    let first = list_children(parent, threads);
    let second = list_children(parent, threads);
    let is_sure = first == second;
    (second, is_sure)
}

fn list_children(parent: u32, threads: Threads) -> Vec<u32> {
    let mut text = Vec::new();
    let mut add = |list: PathBuf| drop(File::open(list).and_then(|file| read_pages(&file, &mut text)));
    // A child belongs to the thread that started it. A thread that has ended hands its children over to another one.
    match threads {
        Threads::One => add(format!("/proc/{parent}/task/{parent}/children").into()),
        Threads::Many => {
            let threads = fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
            threads.for_each(|thread| add(thread.path().join("children")));
        }
    }
    String::from_utf8_lossy(&text).split_ascii_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

/// Reads a file of `/proc` to its end, a page at a time: a shorter read would have the kernel make its text again.
fn read_pages(mut file: &File, text: &mut Vec<u8>) -> io::Result<()> {
    let mut page = [0; 4096];
    loop {
        match file.read(&mut page)? {
            0 => return Ok(()),
            count => text.extend_from_slice(&page[..count]),
        }
    }
}

/// One process, while it is there.
pub fn entry(pid: u32) -> Option<ProcessEntry> {
    let mut text = Vec::new();
    read_pages(&File::open(format!("/proc/{pid}/stat")).ok()?, &mut text).ok()?;
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
        threads: number(17)?,
        started: fields.get(19)?.parse().ok()?,
    })
}

/// What the environment with which a process was started says of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Variable {
    /// Its value.
    Set(Vec<u8>),
    /// It is not there.
    Unset,
    /// The environment is empty or may not be read: it was cleared, or the process is about to become another program.
    Unclear,
}

/// Looks for a variable.
pub fn variable(pid: u32, name: &str) -> Variable {
    let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    if environment.is_empty() {
        return Variable::Unclear;
    }
    let value = environment.split(|byte| *byte == 0).find_map(|pair| pair.strip_prefix(name.as_bytes())?.strip_prefix(b"="));
    value.map_or(Variable::Unset, |value| Variable::Set(value.to_vec()))
}

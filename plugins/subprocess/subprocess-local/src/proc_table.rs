//! The table of processes as `/proc` shows it.

use std::fs;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

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
    /// When it started, in clock ticks since boot: with the number it names a process for good.
    pub started: u64,
}

/// What one look at the table gave. Numbers are listed first and states read then, so a process that is started in between is
/// missing.
pub struct ProcessTable {
    /// The processes that were there throughout.
    pub entries: Vec<ProcessEntry>,
    /// How many ended between being listed and being read.
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

/// What those that want to look at the same time share.
struct Shared {
    /// How many looks were asked for.
    asked: u64,
    /// How many of them the table serves: it was read after they were asked for.
    served: u64,
    table: Arc<ProcessTable>,
}

/// Looks at all processes, together with everybody who wants to at the moment: many trees that end at once read one table. What is
/// seen is never older than the call.
pub async fn look_together() -> Arc<ProcessTable> {
    static SHARED: Mutex<Option<Shared>> = Mutex::new(None);
    let empty = || Arc::new(ProcessTable { entries: Vec::new(), vanished: 0 });
    let ticket = {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        let shared = shared.get_or_insert_with(|| Shared { asked: 0, served: 0, table: empty() });
        shared.asked += 1;
        shared.asked
    };
    // Others who are about to ask get the chance to.
    tokio::task::yield_now().await;
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let shared = shared.get_or_insert_with(|| Shared { asked: 0, served: 0, table: empty() });
    if shared.served < ticket {
        // Without a table nothing can be found; leaders are waited for in any case.
        shared.table = look().map_or_else(|_| empty(), Arc::new);
        shared.served = shared.asked;
    }
    Arc::clone(&shared.table)
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

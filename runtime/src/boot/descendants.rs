//! The last resort of a process that ends at once: what it started ends with it.

use std::collections::BTreeMap;

use rustix::process::{Pid, Signal, kill_process};

/// Kills every descendant of this process as `/proc` shows them. A process that forks meanwhile is found by another look, at
/// most [`LOOKS`] times.
pub(super) fn kill() {
    for _ in 0..LOOKS {
        let found = descendants();
        if found.is_empty() {
            return;
        }
        for pid in found {
            // It may have ended since.
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// How often it is looked again: each look finds only what was forked between two of them.
const LOOKS: usize = 8;

fn descendants() -> Vec<Pid> {
    let mut children: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        if let Some(parent) = living_child_of(&std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default()) {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut found = Vec::new();
    let mut next = vec![rustix::process::getpid().as_raw_nonzero().get()];
    while let Some(parent) = next.pop() {
        for child in children.remove(&parent).unwrap_or_default() {
            found.extend(Pid::from_raw(child));
            next.push(child);
        }
    }
    found
}

/// The parent that a line of `/proc/<pid>/stat` names (proc_pid_stat(5)); none for a process that has ended. The name of the
/// program stands in parentheses and may hold any character.
fn living_child_of(stat: &str) -> Option<i32> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    match fields.next()? {
        "Z" | "X" => None,
        _ => fields.next()?.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::living_child_of;

    #[test]
    fn a_parent_is_read_whatever_the_program_is_called() {
        assert_eq!(living_child_of("12 (a) b) (c) S 7 12 12 0"), Some(7));
        assert_eq!(living_child_of("12 (sh) Z 7 12 12 0"), None);
        assert_eq!(living_child_of(""), None);
    }
}

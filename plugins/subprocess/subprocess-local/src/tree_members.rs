//! Finding the processes of a tree.

use std::collections::BTreeMap;

use crate::children;
use crate::environment::TREE_VARIABLE;
use crate::proc_table::{self, ProcessEntry};

/// What identifies a tree: the session of its leader, and the mark that its processes carry in their environment.
#[derive(Clone, Debug)]
pub struct TreeMark {
    /// Process number of the leader, which is also its session's.
    pub leader: u32,
    /// Value of [`TREE_VARIABLE`].
    pub mark: String,
}

impl TreeMark {
    /// The living processes of the tree. A process belongs to it when it is in the leader's session, or descends from one that
    /// belongs to it, or was adopted by this process and carries the mark. Only descendants of this process are looked at, so a
    /// number that was given to a stranger meanwhile does no harm.
    pub fn members(&self) -> Vec<ProcessEntry> {
        let Ok(all) = proc_table::all() else { return Vec::new() };
        let mut children_of: BTreeMap<u32, Vec<&ProcessEntry>> = BTreeMap::new();
        for entry in &all {
            children_of.entry(entry.parent).or_default().push(entry);
        }
        let marked: Vec<u32> = children::adopted(&all).iter().filter(|entry| self.carries_mark(entry.pid)).map(|entry| entry.pid).collect();
        let mut members = Vec::new();
        let mut open = vec![(std::process::id(), false)];
        while let Some((parent, belongs)) = open.pop() {
            for entry in children_of.remove(&parent).unwrap_or_default() {
                let belongs = belongs || entry.session == self.leader || marked.contains(&entry.pid);
                if belongs && !entry.ended {
                    members.push(*entry);
                }
                open.push((entry.pid, belongs));
            }
        }
        members
    }

    fn carries_mark(&self, pid: u32) -> bool {
        // A harness that runs inside the tree marks its own children by a longer mark with this one in front.
        proc_table::variable(pid, TREE_VARIABLE).is_some_and(|value| value.starts_with(self.mark.as_bytes()))
    }
}

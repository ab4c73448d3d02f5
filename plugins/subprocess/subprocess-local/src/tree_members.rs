//! Finding the processes of a tree.

use std::collections::BTreeSet;

use crate::descendants::Descendants;
use crate::proc_table::{ProcessEntry, Variable};

/// What identifies a tree: the session of its leader, and the mark that its processes carry in their environment.
#[derive(Clone, Debug)]
pub struct TreeMark {
    /// Process number of the leader, which is also its session's.
    pub leader: u32,
    /// Value of [`TREE_VARIABLE`](crate::environment::TREE_VARIABLE).
    pub mark: String,
}

/// What one look at a tree gave.
#[derive(Debug, Default)]
pub struct Look {
    /// Its living processes.
    pub living: Vec<ProcessEntry>,
    /// Those that have ended, by number and start.
    ended: BTreeSet<(u32, u64)>,
    /// Processes that may or may not belong to it.
    unclear: usize,
}

impl Look {
    /// Whether the tree is gone for certain. A process can start another and end while the table is read, which one look cannot
    /// see; so the look before this one must have found nothing alive either, and no end that is new since then.
    pub fn confirms(&self, before: &Self) -> bool {
        let nothing_alive = self.living.is_empty() && before.living.is_empty();
        nothing_alive && self.unclear == 0 && self.ended.is_subset(&before.ended)
    }
}

impl TreeMark {
    /// Finds the processes of the tree. A process belongs to it when it is in the leader's session, or descends from one that
    /// belongs to it, or was adopted by this process and carries the mark. Only descendants of this process are looked at, so a
    /// number that was given to a stranger meanwhile does no harm.
    pub fn find(&self, all: &Descendants) -> Look {
        let mut look = Look { unclear: all.vanished, ..Look::default() };
        let mut marked = BTreeSet::new();
        for (entry, mark) in all.adopted.values() {
            match mark {
                // A harness that runs inside the tree marks its own children by a longer mark with this one in front.
                Variable::Set(value) if value.starts_with(self.mark.as_bytes()) => drop(marked.insert(entry.pid)),
                Variable::Unclear if !entry.ended => look.unclear += 1,
                Variable::Set(_) | Variable::Unset | Variable::Unclear => {}
            }
        }
        let mut open = vec![(std::process::id(), false)];
        while let Some((parent, belongs)) = open.pop() {
            for entry in all.of(parent) {
                let belongs = belongs || entry.session == self.leader || marked.contains(&entry.pid);
                match (belongs, entry.ended) {
                    (true, false) => look.living.push(*entry),
                    (true, true) => drop(look.ended.insert((entry.pid, entry.started))),
                    (false, _) => {}
                }
                open.push((entry.pid, belongs));
            }
        }
        look
    }
}

//! The children of this process: those that it started, and orphans that it adopted as their subreaper.
//!
//! Both are facts of the whole process and not of one mounted row, so they are kept in statics.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, WaitId, WaitIdOptions};
use tokio::process::{Child, Command};

use crate::descendants::Descendants;
use crate::proc_table::{self, ProcessEntry};

/// Children that were started here and that somebody waits for.
static STARTED: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());
/// Mounted rows that start children.
static ROWS: Mutex<usize> = Mutex::new(0);

/// Makes this process the parent of orphans among its descendants, so that they can be found. Counts a row that does so.
pub fn adopt_orphans() {
    *ROWS.lock().unwrap_or_else(PoisonError::into_inner) += 1;
    if let Err(error) = rustix::process::set_child_subreaper(Some(rustix::process::getpid())) {
        tracing::warn!(%error, "processes that leave their session and their parent cannot be found");
    }
}

/// Counts a row less; whether it was the last.
pub fn last_row_left() -> bool {
    let mut rows = ROWS.lock().unwrap_or_else(PoisonError::into_inner);
    *rows = rows.saturating_sub(1);
    *rows == 0
}

/// Starts a child. The lock is held meanwhile, so that [`reap_adopted`] never takes a child that ends at once for a stranger.
pub fn start(command: &mut Command) -> io::Result<(Child, u32)> {
    let mut started = lock();
    let child = command.spawn()?;
    let pid = child.id().ok_or_else(|| io::Error::other("the child has no number"))?;
    started.insert(pid);
    Ok((child, pid))
}

/// Forgets a child that was waited for.
pub fn forget(pid: u32) {
    lock().remove(&pid);
}

/// Orphans that this process has adopted, among its children. Those that other code of this process started stay in its own
/// session and are never among them.
pub fn adopted(children: &[ProcessEntry]) -> Vec<ProcessEntry> {
    let own_session = proc_table::entry(std::process::id()).map_or(0, |entry| entry.session);
    let started = lock();
    let is_adopted = |entry: &&ProcessEntry| entry.session != own_session && !started.contains(&entry.pid);
    children.iter().filter(is_adopted).copied().collect()
}

/// Reaps adopted orphans that have ended: each by its number, so that no child that somebody waits for is taken from them.
pub fn reap_adopted(all: &Descendants) {
    for (entry, _) in all.adopted.values().filter(|(entry, _)| entry.ended) {
        let pid = i32::try_from(entry.pid).ok().and_then(Pid::from_raw);
        // Somebody else may have reaped it meanwhile, which is as good.
        let _ = pid.map(|pid| rustix::process::waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOHANG));
    }
}

fn lock() -> MutexGuard<'static, BTreeSet<u32>> {
    STARTED.lock().unwrap_or_else(PoisonError::into_inner)
}

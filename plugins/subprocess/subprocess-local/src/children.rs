//! The children of this process: those that it started, and orphans that it adopted as their subreaper.
//!
//! Both are facts of the whole process and not of one mounted row, so they are kept in statics.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, WaitId, WaitIdOptions};
use tokio::process::{Child, Command};

use crate::death_watch::DeathWatch;
use crate::descendants::Descendants;
use crate::proc_table::{self, ProcessEntry};

/// Children that were started here and that somebody waits for.
static STARTED: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());
/// Mounted rows that start children, and what kills these when this process is killed.
static ROWS: Mutex<Rows> = Mutex::new(Rows { count: 0, watch: None });

struct Rows {
    count: usize,
    watch: Option<DeathWatch>,
}

/// Makes this process the parent of orphans among its descendants, so that they can be found, and has those with `marks` killed
/// if it is killed itself. Counts a row that does so.
pub fn adopt_orphans(marks: &str) {
    let mut rows = ROWS.lock().unwrap_or_else(PoisonError::into_inner);
    rows.count += 1;
    if rows.watch.is_none() {
        // Nobody may take it for an adopted orphan before it is known.
        let mut started = lock();
        match DeathWatch::start(marks) {
            Ok(watch) => {
                started.insert(watch.pid());
                rows.watch = Some(watch);
            }
            Err(error) => tracing::warn!(%error, "if this process is killed, what it started may stay"),
        }
    }
    if let Err(error) = rustix::process::set_child_subreaper(Some(rustix::process::getpid())) {
        tracing::warn!(%error, "processes that leave their session and their parent cannot be found");
    }
}

/// Counts a row less; whether it was the last.
pub fn last_row_left() -> bool {
    let mut rows = ROWS.lock().unwrap_or_else(PoisonError::into_inner);
    rows.count = rows.count.saturating_sub(1);
    rows.count == 0
}

/// Ends the watch, unless a row was mounted meanwhile.
pub fn end_watch() {
    let mut rows = ROWS.lock().unwrap_or_else(PoisonError::into_inner);
    if rows.count == 0
        && let Some(watch) = rows.watch.take()
    {
        let pid = watch.pid();
        drop(watch);
        forget(pid);
    }
}

/// Starts a child. The lock is held meanwhile, so that [`reap_adopted`] never takes a child that ends at once for a stranger.
pub fn start(command: &mut Command) -> io::Result<(Child, u32)> {
    let mut started = lock();
    let child = command.spawn()?;
    let pid = child.id().ok_or_else(|| io::Error::other("the child has no number"))?;
    started.insert(pid);
    Ok((child, pid))
}

/// The children that were started here and not waited for.
pub fn started() -> BTreeSet<u32> {
    lock().clone()
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

/// Whether a child has ended that nobody has reaped: an adopted orphan, or one that is about to be waited for.
pub fn any_ended() -> bool {
    let looked = rustix::process::waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT);
    matches!(looked, Ok(Some(_)))
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

//! A process that is held by a descriptor, so that its number cannot come to mean another one.

use dsh_subprocess::Signal;
use rustix::process::{Pid, PidfdFlags};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use crate::async_descriptor;
use crate::proc_table::{self, ProcessEntry};

/// A process held by a descriptor.
pub struct WatchedProcess {
    /// How it was found.
    pub entry: ProcessEntry,
    descriptor: AsyncFd<rustix::fd::OwnedFd>,
}

impl WatchedProcess {
    /// Takes hold of a process; `None` when it has ended.
    pub fn hold(entry: &ProcessEntry) -> Option<Self> {
        let pid = Pid::from_raw(i32::try_from(entry.pid).ok()?)?;
        let descriptor = rustix::process::pidfd_open(pid, PidfdFlags::empty()).ok()?;
        // Only now is the number bound; look whether it is still the same process.
        proc_table::entry(entry.pid).filter(|now| now.started == entry.started)?;
        async_descriptor::register(descriptor, Interest::READABLE).ok().map(|descriptor| Self { entry: *entry, descriptor })
    }

    /// Takes hold of all that are still there.
    pub fn hold_all(entries: &[ProcessEntry]) -> Vec<Self> {
        entries.iter().filter_map(Self::hold).collect()
    }

    /// Sends a signal. A process that has ended needs none, and one of another user cannot be helped.
    pub fn signal(&self, signal: Signal) {
        if let Some(signal) = rustix::process::Signal::from_named_raw(signal.number()) {
            let _ = rustix::process::pidfd_send_signal(&self.descriptor, signal);
        }
    }

    /// Waits for its end.
    pub async fn ended(&self) {
        // The descriptor becomes readable when the process ends, and stays so. An error means that it cannot be watched any more.
        let _ = self.descriptor.readable().await;
    }
}

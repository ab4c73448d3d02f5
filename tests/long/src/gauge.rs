//! What a process uses, as the system tells.

use std::fs;

/// One look at a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gauge {
    /// Resident memory in bytes.
    pub resident_bytes: u64,
    /// Most resident memory so far in bytes.
    pub most_resident_bytes: u64,
    /// Open descriptors.
    pub descriptors: usize,
    /// Threads.
    pub threads: u64,
    /// Processes that descend from it.
    pub descendants: usize,
    /// Processor time of its main thread in nanoseconds.
    pub processor_nanoseconds: u64,
}

/// Looks at a process; nothing is used by one that is gone.
#[must_use]
pub fn look(pid: u32) -> Gauge {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let field = |name: &str| -> u64 {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
    };
    let processor = fs::read_to_string(format!("/proc/{pid}/schedstat")).unwrap_or_default();
    Gauge {
        resident_bytes: field("VmRSS:") * 1024,
        most_resident_bytes: field("VmHWM:") * 1024,
        descriptors: fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count),
        threads: field("Threads:"),
        descendants: descendants(pid),
        processor_nanoseconds: processor.split_whitespace().next().and_then(|time| time.parse().ok()).unwrap_or(0),
    }
}

fn descendants(pid: u32) -> usize {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let children = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let children: Vec<u32> =
        children.flat_map(|line| line.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>()).collect();
    children.len() + children.into_iter().map(descendants).sum::<usize>()
}

//! What processes use, as the kernel accounts for it.

use std::fs;
use std::io;

/// Memory in megabytes (of 1,048,576 bytes).
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Resident in the process, what it shares with others included.
    pub resident: f64,
    /// Of the process and all below it; what several share counts in parts.
    pub tree: f64,
}

/// Looks at a process and those below it.
pub fn memory(process: u32) -> io::Result<Memory> {
    let resident = field(process, "Rss:")?;
    // A process that ends meanwhile uses nothing.
    let below: f64 = descendants(process).into_iter().filter_map(|process| field(process, "Pss:").ok()).sum();
    Ok(Memory { resident, tree: field(process, "Pss:")? + below })
}

fn field(process: u32, name: &str) -> io::Result<f64> {
    let text = fs::read_to_string(format!("/proc/{process}/smaps_rollup"))?;
    let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    let kilobytes: f64 = line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or(f64::NAN);
    Ok(kilobytes / 1024.0)
}

fn descendants(process: u32) -> Vec<u32> {
    let parents: Vec<(u32, u32)> = fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let child: u32 = entry.file_name().to_str()?.parse().ok()?;
            let parent = stat(&format!("/proc/{child}/stat"))?.get(1)?.parse().ok()?;
            Some((child, parent))
        })
        .collect();
    let mut found = vec![process];
    let mut at = 0;
    while at < found.len() {
        let above = found[at];
        found.extend(parents.iter().filter(|(_, parent)| *parent == above).map(|(child, _)| *child));
        at += 1;
    }
    found.split_off(1)
}

/// Processor time of the children that have ended and been waited for, theirs included, in milliseconds. Counts in ticks of 10 ms.
pub fn ended_children_ms() -> f64 {
    let fields = stat("/proc/self/stat").unwrap_or_default();
    let ticks = |place: usize| fields.get(place).and_then(|field| field.parse::<f64>().ok()).unwrap_or(f64::NAN);
    // Fields 16 and 17 of proc(5), counted from the state.
    (ticks(13) + ticks(14)) * 10.0
}

/// The fields behind the name, which may itself hold anything.
fn stat(path: &str) -> Option<Vec<String>> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.rsplit_once(')')?.1.split_whitespace().map(str::to_owned).collect())
}

//! What a measurement ran on.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde::Serialize;

/// The machine and what was measured on it.
#[derive(Serialize)]
pub struct Machine {
    /// Day, in UTC.
    pub day: String,
    /// Commit of the sources.
    pub revision: String,
    /// How many processors there are.
    pub processors: usize,
    /// Which.
    pub processor: String,
    /// Memory.
    pub memory_gb: f64,
    /// Release of the kernel.
    pub kernel: String,
    /// The Rust compiler.
    pub compiler: String,
}

impl Machine {
    /// Looks at this one.
    pub fn look(workspace: &Path) -> Self {
        let of = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let field = |text: &str, name: &str| {
            let line = text.lines().find(|line| line.starts_with(name));
            line.and_then(|line| line.split_once(':')).map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
        };
        let memory = field(&of("/proc/meminfo"), "MemTotal");
        let kilobytes: f64 = memory.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(f64::NAN);
        Self {
            day: said(workspace, "date", &["-u", "+%Y-%m-%d"]),
            revision: said(workspace, "git", &["describe", "--always", "--dirty"]),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            processor: field(&of("/proc/cpuinfo"), "model name"),
            memory_gb: kilobytes / 1024.0 / 1024.0,
            kernel: of("/proc/sys/kernel/osrelease").trim().to_owned(),
            compiler: said(workspace, "rustc", &["--version"]),
        }
    }
}

/// Load of the machine over the last minute.
pub fn load() -> f64 {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(f64::NAN)
}

fn said(workspace: &Path, program: &str, words: &[&str]) -> String {
    let output = Command::new(program).args(words).current_dir(workspace).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}

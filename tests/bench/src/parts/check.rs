//! The compiler's front half: `check` of what is shipped, and how its time grows with rows and with plugins.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::complete;
use crate::grown::{Growth, grow};
use crate::processes::ended_children_ms;
use crate::report::Part;
use crate::samples::Samples;
use crate::setting::Setting;

const ROWS: [usize; 4] = [50, 500, 1500, 5000];
const PLUGINS: [usize; 4] = [10, 50, 150, 500];

/// Checks compositions of many sizes.
pub fn measure(setting: &Setting) -> io::Result<Part> {
    let mut part = Part {
        name: "check",
        about: "Warm: nothing changed since the last run. Cold: nothing is known, cargo is asked and every source read. The made-up \
                workspaces have 50 plugins where rows grow, and a row for each plugin where plugins grow. Processor time is that of a \
                warm check, which has one thread: what it takes on a quiet machine. How it grows is told by it.",
        columns: vec!["warm median ms", "warm p95 ms", "warm min ms", "processor ms", "cold ms"],
        ..Part::default()
    };
    // The slowest of the shipped profiles is what is bounded.
    let (mut slowest, mut most_work) = (0_f64, 0_f64);
    for profile in profiles(&setting.workspace)? {
        let found = time(setting, &setting.workspace, &profile)?;
        slowest = slowest.max(found.warm.median());
        most_work = most_work.max(found.processor_ms);
        found.row(&mut part, format!("profile `{profile}`"));
    }
    part.budget("warm check of the slowest shipped profile, median", slowest, 50.0, "ms");
    part.budget("warm check of the slowest shipped profile, processor time", most_work, 50.0, "ms");
    let sizes = setting.count(ROWS.len(), 2);
    let rows = curve(setting, &mut part, "rows", &ROWS[..sizes], Growth::Rows)?;
    let plugins = curve(setting, &mut part, "plugins", &PLUGINS[..sizes], Growth::Plugins)?;
    part.budget("a further row among the most, beside one among few", rows, 1.5, "times");
    part.budget("a further plugin among the most, beside one among few", plugins, 1.5, "times");
    Ok(part)
}

/// How much more the last ones cost than the first ones, each.
#[allow(clippy::cast_precision_loss)]
fn curve(setting: &Setting, part: &mut Part, what: &str, sizes: &[usize], growth: fn(usize) -> Growth) -> io::Result<f64> {
    let mut work = Vec::new();
    for size in sizes {
        let folder = tempfile::Builder::new().prefix("grown-").tempdir_in(setting.scratch.path())?;
        grow(folder.path(), growth(*size))?;
        let found = time(setting, folder.path(), "grown")?;
        work.push((*size as f64, found.processor_ms));
        found.row(part, format!("{size} {what}"));
    }
    let each = |pair: &[(f64, f64)]| (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0);
    let slopes: Vec<f64> = work.windows(2).map(each).collect();
    // The first sizes differ by less than can be told from the ticks in which the kernel counts.
    Ok(slopes[slopes.len() - 1] / slopes[slopes.len().saturating_sub(2)])
}

struct Found {
    warm: Samples,
    /// Of one warm check.
    processor_ms: f64,
    cold: Duration,
}

impl Found {
    fn row(&self, part: &mut Part, label: String) {
        let warm = &self.warm;
        part.row(label, vec![warm.median(), warm.p95(), warm.min(), self.processor_ms, self.cold.as_secs_f64() * 1000.0]);
    }
}

#[allow(clippy::cast_precision_loss)]
fn time(setting: &Setting, workspace: &Path, profile: &str) -> io::Result<Found> {
    let check = || {
        let mut command = Command::new(&setting.compiler);
        command.args(["check", "--offline", "--profile", profile, "--workspace"]).arg(workspace);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let started = Instant::now();
        complete(command).map(|()| started.elapsed())
    };
    match fs::remove_dir_all(workspace.join("target/dsh/cache")) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let cold = check()?;
    let (count, before) = (setting.count(20, 2), ended_children_ms());
    let warm = (0..count).map(|_| check()).collect::<io::Result<Samples>>()?;
    Ok(Found { warm, processor_ms: (ended_children_ms() - before) / count as f64, cold })
}

fn profiles(workspace: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(workspace.join("profiles"))? {
        let folder = entry?.path();
        if folder.join("profile.yml").is_file() {
            names.push(folder.file_name().unwrap_or_default().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

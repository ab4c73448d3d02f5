//! Many sessions at once: in one process, beside as many processes.

use std::collections::BTreeMap;
use std::io;
use std::time::{Duration, Instant};

use crate::processes::ended_children_ms;
use crate::report::Part;
use crate::samples::Samples;
use crate::served::Served;
use crate::setting::{Runner, Runtime, Setting};

/// Steps of each session.
const STEPS: usize = 10;

/// Has the contestants work in turn. Starting and ending are in the figures.
#[allow(clippy::cast_precision_loss)]
pub fn measure(setting: &Setting) -> io::Result<Part> {
    let count = setting.count(32, 4);
    let mut found: BTreeMap<&'static str, Together> = BTreeMap::new();
    let [mut connections, mut until_idle] = <[Samples; 2]>::default();
    for _ in 0..setting.count(10, 1) {
        for runner in [Runner::Floor, Runner::Spawning, Runner::Keeping, Runner::Product] {
            let (started, before) = (Instant::now(), ended_children_ms());
            run_apart(setting, runner, count)?;
            found.entry(runner.name()).or_default().take(started.elapsed(), before);
        }
        let tags: Vec<String> = (0..count).map(|_| setting.server.tag()).collect();
        let (connected, before) = (setting.server.connections(), ended_children_ms());
        let (idle, end) = serve(setting, Runtime::Product, &tags)?;
        found.entry(Runtime::Product.name()).or_default().take(end, before);
        until_idle.time(idle);
        connections.value((setting.server.connections() - connected) as f64 / count as f64);
    }
    if let Some(reference) = &setting.reference {
        let tags: Vec<String> = (0..count).map(|_| setting.server.tag()).collect();
        let before = ended_children_ms();
        found.entry("reference (served)").or_default().take(serve(setting, Runtime::Reference(reference), &tags)?.1, before);
    }
    let mut part = report(&found);
    let idle = vec![until_idle.median(), until_idle.p95(), until_idle.min(), f64::NAN];
    part.row("`dsh-minimal` (served): until all sessions are idle", idle);
    // One may serve several sessions, so it is their number that is counted.
    part.budget("connections for each of many sessions", connections.median(), 1.0, "");
    Ok(part)
}

fn report(found: &BTreeMap<&'static str, Together>) -> Part {
    let mut part = Part {
        name: "sessions",
        about: "32 sessions of 10 steps at once, from the first start to the last end. Processor time is that of all processes together. \
                On a machine that others load, one process gets a smaller share of it than 32, so there the ratio of times is too high.",
        columns: vec!["median ms", "p95 ms", "min ms", "processor ms"],
        ..Part::default()
    };
    let label = |name: &str| match name {
        runtime if runtime.ends_with("(served)") => format!("{runtime}: one process"),
        runner => format!("{runner}: a process for each"),
    };
    for (name, Together { times, processor }) in found {
        part.row(label(name), vec![times.median(), times.p95(), times.min(), processor.median()]);
    }
    let beside = |runner: Runner| found[Runtime::Product.name()].times.median() / found[runner.name()].times.median();
    part.budget("sessions of one process, beside C processes with a shell for each command", beside(Runner::Spawning), 1.3, "times");
    part.budget("sessions of one process, beside C processes that keep as much", beside(Runner::Keeping), 1.3, "times");
    part.budget("sessions of one process, beside C processes with one shell", beside(Runner::Floor), 1.3, "times");
    part
}

/// Has so many processes do a task each, all at once.
fn run_apart(setting: &Setting, runner: Runner, count: usize) -> io::Result<()> {
    let children: io::Result<Vec<_>> = (0..count).map(|_| setting.task(runner, &setting.server.tag(), STEPS).spawn()).collect();
    for mut child in children? {
        if !child.wait()?.success() {
            return Err(io::Error::other(format!("{} failed", runner.name())));
        }
    }
    Ok(())
}

/// Figures of many sessions at once.
#[derive(Default)]
struct Together {
    times: Samples,
    processor: Samples,
}

impl Together {
    /// Takes a run in, before which the children that had ended had used so much processor time.
    fn take(&mut self, time: Duration, before: f64) {
        self.times.time(time);
        self.processor.value(ended_children_ms() - before);
    }
}

/// From start until all sessions are idle, and until the process has ended.
fn serve(setting: &Setting, runtime: Runtime<'_>, tags: &[String]) -> io::Result<(Duration, Duration)> {
    let started = Instant::now();
    let mut served = Served::start(setting, runtime)?;
    served.work(tags, STEPS)?;
    let idle = started.elapsed();
    served.end()?;
    Ok((idle, started.elapsed()))
}

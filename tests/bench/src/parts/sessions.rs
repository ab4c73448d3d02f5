//! Many sessions at once: in one process, beside as many processes.

use std::collections::BTreeMap;
use std::io;
use std::time::{Duration, Instant};

use crate::report::Part;
use crate::samples::Samples;
use crate::served::Served;
use crate::setting::{Runner, Runtime, Setting};

/// Steps of each session.
const STEPS: usize = 10;

/// Has the contestants work in turn. Connections may serve several sessions, so their number is counted. Starting and ending are in the figures.
#[allow(clippy::cast_precision_loss)]
pub fn measure(setting: &Setting) -> io::Result<Part> {
    let count = setting.count(32, 4);
    let mut part = Part::of_times("sessions", "32 sessions of 10 steps at once, from the first start to the last end.");
    let mut found: BTreeMap<&'static str, Samples> = BTreeMap::new();
    let [mut connections, mut until_idle] = <[Samples; 2]>::default();
    for _ in 0..setting.count(10, 1) {
        for runner in [Runner::Floor, Runner::Spawning, Runner::Product] {
            let started = Instant::now();
            let children: io::Result<Vec<_>> = (0..count).map(|_| setting.task(runner, &setting.server.tag(), STEPS).spawn()).collect();
            for mut child in children? {
                if !child.wait()?.success() {
                    return Err(io::Error::other(format!("{} failed", runner.name())));
                }
            }
            found.entry(runner.name()).or_default().time(started.elapsed());
        }
        let tags: Vec<String> = (0..count).map(|_| setting.server.tag()).collect();
        let before = setting.server.connections();
        let (idle, end) = serve(setting, Runtime::Product, &tags)?;
        found.entry(Runtime::Product.name()).or_default().time(end);
        until_idle.time(idle);
        connections.value((setting.server.connections() - before) as f64 / count as f64);
    }
    if let Some(reference) = &setting.reference {
        let tags: Vec<String> = (0..count).map(|_| setting.server.tag()).collect();
        found.entry("reference (served)").or_default().time(serve(setting, Runtime::Reference(reference), &tags)?.1);
    }
    let label = |name: &str| match name {
        runtime if runtime.ends_with("(served)") => format!("{runtime}: one process"),
        runner => format!("{runner}: a process for each"),
    };
    for (name, samples) in &found {
        part.times(label(name), samples);
    }
    part.times("`dsh-minimal` (served): until all sessions are idle", &until_idle);
    let beside = |runner: Runner| found[Runtime::Product.name()].median() / found[runner.name()].median();
    part.budget("sessions of one process, beside C processes with a shell for each command", beside(Runner::Spawning), 1.3, "times");
    part.budget("sessions of one process, beside C processes with one shell", beside(Runner::Floor), 1.3, "times");
    part.budget("connections for each of many sessions", connections.median(), 1.0, "");
    Ok(part)
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

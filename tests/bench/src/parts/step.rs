//! A step: one request and one command in a shell that persists; early, later, late.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use super::complete;
use crate::model_server::Conversation;
use crate::processes::ended_children_ms;
use crate::report::Part;
use crate::samples::Samples;
use crate::served::Served;
use crate::setting::{Runner, Runtime, Setting};

/// Half of the width of a window around a step.
const AROUND: usize = 10;

/// Figures of one contestant.
#[derive(Default)]
struct Steps {
    /// Around each step of interest.
    windows: Vec<Samples>,
    /// Processor time of the whole tree, for each step of a session.
    processor: Samples,
    /// The server's own time.
    server: Samples,
    connections: Samples,
}

/// Has the contestants work in turn.
pub fn measure(setting: &Setting) -> io::Result<Part> {
    let at = if setting.quick { vec![10, 20] } else { vec![20, 200, 2000] };
    let last = at[at.len() - 1];
    let mut found: BTreeMap<&'static str, Steps> = BTreeMap::new();
    for _ in 0..setting.count(3, 1) {
        for runner in [Runner::Floor, Runner::Spawning, Runner::Product] {
            let tag = setting.server.tag();
            let before = ended_children_ms();
            complete(setting.task(runner, &tag, last))?;
            found.entry(runner.name()).or_default().take(&setting.server.conversation(&tag), &at, ended_children_ms() - before, last);
        }
        serve(setting, Runtime::Product, last, &at, &mut found)?;
    }
    if let Some(reference) = &setting.reference {
        let (at, last) = if setting.quick { (vec![2], 4) } else { (vec![20, 200], 210) };
        serve(setting, Runtime::Reference(reference), last, &at, &mut found)?;
    }
    Ok(report(&at, &found))
}

fn serve(setting: &Setting, runtime: Runtime<'_>, last: usize, at: &[usize], found: &mut BTreeMap<&'static str, Steps>) -> io::Result<()> {
    let tag = setting.server.tag();
    let before = ended_children_ms();
    let mut served = Served::start(setting, runtime)?;
    served.work(std::slice::from_ref(&tag), last)?;
    served.end()?;
    found.entry(runtime.name()).or_default().take(&setting.server.conversation(&tag), at, ended_children_ms() - before, last);
    Ok(())
}

impl Steps {
    #[allow(clippy::cast_precision_loss)]
    fn take(&mut self, seen: &Conversation, at: &[usize], processor_ms: f64, steps: usize) {
        let times: Vec<Duration> = seen.arrivals.windows(2).map(|pair| pair[1].duration_since(pair[0])).collect();
        self.windows.resize_with(at.len(), Samples::default);
        for (window, step) in self.windows.iter_mut().zip(at) {
            // Step N lies between request N and request N + 1; both counted from 1.
            let from = step.saturating_sub(AROUND).min(times.len());
            times[from..(step + AROUND).min(times.len())].iter().for_each(|time| window.time(*time));
        }
        self.processor.value(processor_ms / steps as f64);
        self.server.value(seen.served.iter().sum::<Duration>().as_secs_f64() * 1000.0 / seen.served.len().max(1) as f64);
        self.connections.value(seen.connections.len() as f64);
    }
}

fn report(at: &[usize], found: &BTreeMap<&'static str, Steps>) -> Part {
    let mut part = Part {
        name: "step",
        about: "From one request to the next, in ms, around a step; all contestants run the same command and send the whole history each \
                time. The floor is the C client with one shell. Processor time is that of the contestant and its shell for each step of the session, \
                the server's is what the model server itself needs for a request.",
        columns: vec!["median", "p95", "min", "processor", "server", "connections"],
        ..Part::default()
    };
    for (name, steps) in found {
        for (window, step) in steps.windows.iter().zip(at) {
            let rest = [&steps.processor, &steps.server, &steps.connections].map(Samples::median);
            part.row(format!("{name}: around step {step}"), [&[window.median(), window.p95(), window.min()], &rest[..]].concat());
        }
    }
    let (floor, product) = (&found[Runner::Floor.name()], &found[Runner::Product.name()]);
    for (window, what) in
        ["step early, beside the floor and 1 ms", "step later, beside the floor and 1 ms", "step late, beside the floor and 1 ms"]
            .into_iter()
            .enumerate()
    {
        if let (Some(product), Some(floor)) = (product.windows.get(window), floor.windows.get(window)) {
            part.budget(what, product.median(), floor.median() + 1.0, "ms");
        }
    }
    let growth = |steps: &Steps| steps.windows[steps.windows.len() - 1].median() - steps.windows[0].median();
    part.budget("growth of a step from early to late, beside that of the floor", growth(product) - growth(floor), 0.25, "ms");
    part.budget("connections of a session", product.connections.median(), 1.0, "");
    part
}

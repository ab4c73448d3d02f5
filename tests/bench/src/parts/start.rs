//! From start to the first answer, the first request, the end of a short task.

use std::collections::BTreeMap;
use std::io;
use std::time::{Duration, Instant};

use crate::report::Part;
use crate::samples::Samples;
use crate::served::Served;
use crate::setting::{Runner, Runtime, Setting};

const RUNNERS: [Runner; 4] = [Runner::Floor, Runner::Spawning, Runner::Curl, Runner::Product];

/// Starts each contestant in turn, over and over.
pub fn measure(setting: &Setting) -> io::Result<Part> {
    let mut part = Part::of_times("start", "From the start of a process; the task has one tool call and an answer.");
    let (mut first, mut whole): (BTreeMap<Runner, Samples>, BTreeMap<Runner, Samples>) = Default::default();
    let mut answered = Samples::default();
    for _ in 0..setting.count(60, 2) {
        for runner in RUNNERS {
            let tag = setting.server.tag();
            let started = Instant::now();
            let mut child = setting.task(runner, &tag, 1).spawn()?;
            first.entry(runner).or_default().time(setting.server.first_request(&tag)?.duration_since(started));
            if !child.wait()?.success() {
                return Err(io::Error::other(format!("{} failed", runner.name())));
            }
            whole.entry(runner).or_default().time(started.elapsed());
        }
        answered.time(serve(setting, Runtime::Product)?.0);
    }
    part.times(format!("{}: answer of `initialize`", Runtime::Product.name()), &answered);
    for runner in RUNNERS {
        part.times(format!("{}: first request", runner.name()), &first[&runner]);
    }
    for runner in RUNNERS {
        part.times(format!("{}: whole task", runner.name()), &whole[&runner]);
    }
    if let Some(reference) = &setting.reference {
        let [mut answered, mut first, mut whole] = <[Samples; 3]>::default();
        for _ in 0..setting.count(3, 1) {
            let (answer, request, end) = serve(setting, Runtime::Reference(reference))?;
            answered.time(answer);
            first.time(request);
            whole.time(end);
        }
        part.times("reference: answer of `initialize`", &answered);
        part.times("reference: first request", &first);
        part.times("reference: whole task", &whole);
    }
    part.budget("start to the answer of `initialize`, median", answered.median(), 10.0, "ms");
    part.budget("start to first request, beside curl's", first[&Runner::Product].median(), first[&Runner::Curl].median(), "ms");
    Ok(part)
}

/// From start to the answer of `initialize`, to the first request, to the end of the task.
fn serve(setting: &Setting, runtime: Runtime<'_>) -> io::Result<(Duration, Duration, Duration)> {
    let mut served = Served::start(setting, runtime)?;
    let tag = setting.server.tag();
    served.work(std::slice::from_ref(&tag), 1)?;
    let (end, answered) = (served.started.elapsed(), served.answered);
    let request = setting.server.first_request(&tag)?.duration_since(served.started);
    served.end()?;
    Ok((answered, request, end))
}

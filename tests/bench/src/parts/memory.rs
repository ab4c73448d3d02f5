//! Memory after start, after many steps, and with many sessions.

use std::io;

use crate::processes::{Memory, memory};
use crate::report::Part;
use crate::served::Served;
use crate::setting::{Runtime, Setting};

/// Looks at each runtime.
pub fn measure(setting: &Setting) -> io::Result<Part> {
    let mut part = Part {
        name: "memory",
        about: "Of the process (resident) and of its tree with all shells (what several share counts in parts).",
        columns: vec!["process MB", "tree MB"],
        ..Part::default()
    };
    for runtime in setting.runtimes() {
        let sessions = match runtime {
            Runtime::Product => setting.count(64, 2),
            Runtime::Reference(_) => setting.count(8, 1),
        };
        let found = look(setting, runtime, sessions)?;
        let name = runtime.name();
        for (when, at) in
            [("after start", found.start), ("after 100 steps", found.steps), ("each further session of 3 steps", found.session)]
        {
            part.row(format!("{name}: {when}"), vec![at.resident, at.tree]);
        }
        if runtime == Runtime::Product {
            part.budget("memory of the process after start", found.start.resident, 12.0, "MB");
            part.budget("memory of the process after 100 steps", found.steps.resident, 40.0, "MB");
            part.budget("memory of the process for a further session", found.session.resident, 0.5, "MB");
        }
    }
    Ok(part)
}

struct Found {
    start: Memory,
    steps: Memory,
    session: Memory,
}

#[allow(clippy::cast_precision_loss)]
fn look(setting: &Setting, runtime: Runtime<'_>, sessions: usize) -> io::Result<Found> {
    let mut served = Served::start(setting, runtime)?;
    let start = memory(served.process())?;
    served.work(&[setting.server.tag()], setting.count(100, 3))?;
    let steps = memory(served.process())?;
    for _ in 0..sessions {
        served.work(&[setting.server.tag()], 3)?;
    }
    let many = memory(served.process())?;
    let each = |with: f64, without: f64| (with - without) / sessions as f64;
    let session = Memory { resident: each(many.resident, steps.resident), tree: each(many.tree, steps.tree) };
    served.end()?;
    Ok(Found { start, steps, session })
}

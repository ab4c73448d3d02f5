//! `dsh-build verify`.

use std::fmt;

use serde::Serialize;

use super::arguments::VerifyArguments;
use super::output::{Output, counted};
use super::search::Search;
use super::{REFUSED, USAGE};
use crate::console::say;
use crate::diagnostics::{Diagnostics, nearest};
use crate::index::{Network, index};
use crate::verify::{Cost, Exempted, Gate, Outcome, Scope, Tree, gates, run};
use crate::workspace::Workspace;

/// Runs gates, or names them.
pub(super) fn verify(search: &Search, arguments: &VerifyArguments, network: Network, output: &Output) -> Result<(), u8> {
    if arguments.list {
        return output.report(&Listing::new());
    }
    let workspace = match &arguments.tree {
        None => search.workspace()?,
        Some(folder) => Workspace::of_plugins(folder).map_err(|error| unread(&error))?,
    };
    let chosen = chosen(arguments)?;
    let mut problems = Diagnostics::new();
    let (index, metadata) = index(&workspace, network, &mut problems);
    let tree = Tree::read(&workspace, metadata).map_err(|error| unread(&error))?;
    if let Some(gate) = chosen.iter().find(|gate| !arguments.gates.is_empty() && !tree.is_in(gate.scope)) {
        say(format_args!("error: the gate `{}` is about a workspace, which a plugin's folder is not", gate.name));
        return Err(USAGE);
    }
    let chosen: Vec<_> = chosen.into_iter().filter(|gate| tree.is_in(gate.scope)).collect();
    let (outcomes, exemptions) = run(&tree, &index, &chosen);
    problems.append(exemptions);
    if arguments.exempted {
        output.report(&Stays { exempted: outcomes.iter().flat_map(|outcome| outcome.exempted.iter().cloned()).collect() })?;
    }
    report(outcomes, problems, output)
}

/// Shows what was found, a line for each gate after it.
fn report(outcomes: Vec<Outcome>, mut problems: Diagnostics, output: &Output) -> Result<(), u8> {
    let red: Vec<&str> = outcomes.iter().filter(|outcome| !outcome.is_green()).map(|outcome| outcome.gate.name).collect();
    let summary = match red[..] {
        [] => format!("dsh-build: {}, all green", counted(outcomes.len(), "gate")),
        _ => format!("dsh-build: {} of {} red: {}", red.len(), counted(outcomes.len(), "gate"), red.join(", ")),
    };
    let mut failed = false;
    for outcome in outcomes {
        match outcome.found {
            Ok(found) => problems.append(found),
            Err(error) => {
                say(format_args!("error: the gate `{}` could not look: {error}", outcome.gate.name));
                failed = true;
            }
        }
    }
    let shown = output.show(&problems);
    say(summary);
    if failed { Err(USAGE) } else { shown.and(if problems.is_empty() { Ok(()) } else { Err(REFUSED) }) }
}

fn chosen(arguments: &VerifyArguments) -> Result<Vec<&'static Gate>, u8> {
    if arguments.gates.is_empty() {
        return Ok(gates().iter().copied().filter(|gate| arguments.all || gate.cost == Cost::Reads).collect());
    }
    arguments.gates.iter().map(|name| named(name)).collect()
}

fn named(name: &str) -> Result<&'static Gate, u8> {
    gates().iter().copied().find(|gate| gate.name == name).ok_or_else(|| {
        let near = nearest(name, gates().iter().map(|gate| gate.name));
        let help = near.map_or("`dsh-build verify --list` names them".to_owned(), |near| format!("a similar gate exists: `{near}`"));
        say(format_args!("error: no gate is called `{name}`\nhelp: {help}"));
        USAGE
    })
}

fn unread(error: &impl fmt::Display) -> u8 {
    say(format_args!("error: {error}"));
    USAGE
}

/// The gates for a reader, or for a program.
#[derive(Serialize)]
struct Listing {
    gates: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    name: &'static str,
    code: &'static str,
    refuses: &'static str,
    fix: &'static str,
    builds: bool,
    outside: bool,
}

impl Listing {
    fn new() -> Self {
        let line = |gate: &&'static Gate| Line {
            name: gate.name,
            code: gate.rule.code,
            refuses: gate.rule.meaning,
            fix: gate.fix,
            builds: gate.cost == Cost::Builds,
            outside: gate.scope == Scope::Plugins,
        };
        Self { gates: gates().iter().map(line).collect() }
    }
}

impl fmt::Display for Listing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.gates.iter().map(|gate| gate.name.len()).max().unwrap_or(0);
        for gate in &self.gates {
            let builds = if gate.builds { " (builds; runs with `--all`)" } else { "" };
            writeln!(out, "{:width$}  {}  {}{builds}", gate.name, gate.code, gate.refuses)?;
        }
        Ok(())
    }
}

/// What was found and may stay.
#[derive(Serialize)]
struct Stays {
    exempted: Vec<Exempted>,
}

impl fmt::Display for Stays {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Exempted { gate, at, found, reason } in &self.exempted {
            writeln!(out, "{at}: {found} ({gate})\n    {reason}")?;
        }
        Ok(())
    }
}

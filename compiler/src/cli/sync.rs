//! `dsh-build sync`.

use super::arguments::SyncArguments;
use super::output::{Output, counted};
use super::{REFUSED, USAGE};
use crate::build::{BuildError, RunLock};
use crate::compile::{Compiler, Source};
use crate::diagnostics::Diagnostics;
use crate::emit::{Generated, emit};
use crate::index::Network;
use crate::sync::{Change, compare, write};
use crate::workspace::Workspace;

/// Writes the generated crates of the named profiles, or of all, or says how they differ.
pub(super) fn sync(workspace: &Workspace, arguments: &SyncArguments, network: Network, output: &Output) -> u8 {
    run(workspace, arguments, network, output).unwrap_or_else(|status| status)
}

fn run(workspace: &Workspace, arguments: &SyncArguments, network: Network, output: &Output) -> Result<u8, u8> {
    let said = |error: BuildError| {
        eprintln!("error: {error}");
        error.exit_status()
    };
    let lock = RunLock::take(workspace).map_err(said)?;
    let whole = arguments.profiles.is_empty();
    let all = generate(workspace, arguments, network, output)?;
    if arguments.check {
        return show(&compare(workspace, &all, whole).map_err(said)?, output);
    }
    let changes = write(workspace, &all, whole, &lock).map_err(said)?;
    for change in &changes {
        match change {
            Change::File { file, .. } => eprintln!("dsh-build: wrote {file}"),
            Change::Orphan { path } => eprintln!("dsh-build: removed {path}"),
        }
    }
    if !changes.is_empty() {
        // The lock file lists what generated crates depend on.
        let mut diagnostics = Diagnostics::new();
        crate::index::renew(workspace, network, &mut diagnostics);
        output.show(&diagnostics)?;
    }
    eprintln!("dsh-build: {}, {}", counted(all.len(), "profile"), counted(changes.len(), "change"));
    Ok(0)
}

/// The crates of all profiles that were asked for; none when one of them is refused.
fn generate(workspace: &Workspace, arguments: &SyncArguments, network: Network, output: &Output) -> Result<Vec<Generated>, u8> {
    let mut diagnostics = Diagnostics::new();
    let compiler = Compiler::open(workspace, network, &mut diagnostics);
    let names = if arguments.profiles.is_empty() { compiler.shipped_profiles() } else { arguments.profiles.clone() };
    let mut all = Vec::new();
    for profile in names {
        let Some(compiled) = compiler.compile(&Source { profile: profile.clone(), patches: Vec::new() }, &mut diagnostics) else {
            continue;
        };
        if !compiled.shipped {
            eprintln!("error: the profile `{profile}` does not lie below `profiles/` of the workspace");
            return Err(USAGE);
        }
        all.push(emit(&compiled.plan));
    }
    output.show(&diagnostics)?;
    Ok(all)
}

/// For readers the diffs go to standard output, where they are a patch, and what to do to standard error.
fn show(changes: &[Change], output: &Output) -> Result<u8, u8> {
    let mut diagnostics = Diagnostics::new();
    for change in changes {
        let diagnostic = change.diagnostic();
        diagnostics.report(match change {
            Change::File { diff, .. } if output.is_json() => diagnostic.note(diff.as_str()),
            Change::File { diff, .. } => {
                print!("{diff}");
                diagnostic
            }
            Change::Orphan { .. } => diagnostic,
        });
    }
    output.show(&diagnostics)?;
    Ok(if changes.is_empty() { 0 } else { REFUSED })
}

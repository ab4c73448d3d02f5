//! `dsh-build sync`.

use std::collections::BTreeSet;

use super::REFUSED;
use super::arguments::SyncArguments;
use super::output::{Output, counted, said};
use crate::build::RunLock;
use crate::compile::{Compiler, Source};
use crate::console::say;
use crate::diagnostics::Diagnostics;
use crate::emit::emit;
use crate::index::Network;
use crate::sync::{Change, Target, compare, write};
use crate::workspace::Workspace;

/// Writes the generated crates of the named profiles, or of all, or says how they differ.
pub(super) fn sync(workspace: &Workspace, arguments: &SyncArguments, network: Network, output: &Output) -> Result<(), u8> {
    let is_whole = arguments.profiles.is_empty();
    if arguments.check {
        let all = targets(workspace, arguments, network, output)?;
        return show(&compare(workspace, &all, is_whole).map_err(said)?, output);
    }
    let lock = RunLock::take(workspace).map_err(said)?;
    let all = targets(workspace, arguments, network, output)?;
    let changes = write(workspace, &all, is_whole, &lock).map_err(said)?;
    for change in &changes {
        match change {
            Change::File { file, .. } => say(format_args!("dsh-build: wrote {file}")),
            Change::Orphan { path } => say(format_args!("dsh-build: removed {path}")),
        }
    }
    if !changes.is_empty() {
        // The lock file lists what generated crates depend on.
        let mut diagnostics = Diagnostics::new();
        crate::index::update_lock_file(workspace, network, &mut diagnostics);
        output.show(&diagnostics)?;
    }
    say(format_args!("dsh-build: {}, {}", counted(all.len(), "profile"), counted(changes.len(), "change")));
    Ok(())
}

/// The crates of all profiles that were asked for; none when one of them is refused.
fn targets(workspace: &Workspace, arguments: &SyncArguments, network: Network, output: &Output) -> Result<Vec<Target>, u8> {
    let mut diagnostics = Diagnostics::new();
    let compiler = Compiler::open(workspace, network, &mut diagnostics);
    let names: BTreeSet<String> = match arguments.profiles.as_slice() {
        [] => compiler.shipped_profiles().into_iter().collect(),
        named => named.iter().cloned().collect(),
    };
    let mut all = Vec::new();
    for profile in names {
        if let Some(compiled) = compiler.compile(&Source { profile, patches: Vec::new() }, &mut diagnostics) {
            let generated = emit(&compiled.plan);
            let folder = compiled.elsewhere.map_or_else(|| workspace.generated(), |folder| folder.join("generated"));
            all.push(Target { folder: folder.join(&generated.profile), generated });
        }
    }
    output.show(&diagnostics)?;
    Ok(all)
}

/// For readers the diffs go to standard output, where they are a patch, and what to do to standard error.
fn show(changes: &[Change], output: &Output) -> Result<(), u8> {
    let mut diagnostics = Diagnostics::new();
    for change in changes {
        let diagnostic = change.diagnostic();
        diagnostics.report(match change {
            Change::File { diff, .. } if output.is_json() => diagnostic.note(diff.as_str()),
            Change::File { diff, .. } => {
                output.answer(diff)?;
                diagnostic
            }
            Change::Orphan { .. } => diagnostic,
        });
    }
    output.show(&diagnostics)?;
    if changes.is_empty() { Ok(()) } else { Err(REFUSED) }
}

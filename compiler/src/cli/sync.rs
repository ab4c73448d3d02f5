//! `dsh-build sync`.

use std::collections::{BTreeMap, BTreeSet};

use super::REFUSED;
use super::arguments::SyncArguments;
use super::output::{Output, counted, said};
use super::search::Search;
use crate::build::{RunLock, Signals, lock_beside, stale_lock_beside};
use crate::compile::{Compiled, Compiler, Source};
use crate::console::say;
use crate::diagnostics::Diagnostics;
use crate::index::{Network, update_lock_file};
use crate::kept;
use crate::sync::{Change, Target, compare, write};
use crate::workspace::Workspace;

/// Profiles of one workspace.
struct Group {
    workspace: Workspace,
    /// Whether they are all that the workspace ships.
    is_whole: bool,
    sources: Vec<Source>,
}

/// What became of a group.
struct Prepared {
    targets: Vec<Target>,
    compiled: Vec<Compiled>,
}

/// Writes the generated crates of the named profiles, or of all, and the schemas, or says how they differ.
pub(super) fn sync(search: &Search, arguments: &SyncArguments, network: Network, output: &Output) -> Result<(), u8> {
    let groups = groups(search, arguments, network)?;
    if arguments.check {
        let mut changes = Vec::new();
        for (group, prepared) in groups.iter().zip(prepare(&groups, network, output)?) {
            changes.extend(compare(&group.workspace, &prepared.targets, group.is_whole).map_err(said)?);
            for compiled in &prepared.compiled {
                let stale = stale_lock_beside(&group.workspace, compiled, network).map_err(said)?;
                changes.extend(stale.map(|lock| Change::of_text(group.workspace.relative(&lock.path), &lock.held, &lock.fresh)));
            }
        }
        return show(&changes, output);
    }
    let locks = groups.iter().map(|group| RunLock::take(&group.workspace)).collect::<Result<Vec<_>, _>>().map_err(said)?;
    let prepared = prepare(&groups, network, output)?;
    // All files are written or none: a signal is heeded when that is done.
    let mut signals = Signals::catch().map_err(said)?;
    let (mut profiles, mut changed) = (0, 0);
    for ((group, Prepared { targets, compiled }), lock) in groups.iter().zip(prepared).zip(&locks) {
        signals.check().map_err(said)?;
        changed += write_group(group, &targets, lock, network, output)?;
        for compiled in &compiled {
            let wrote = lock_beside(&group.workspace, compiled, network).map_err(said)?;
            changed += usize::from(wrote.is_some());
            if let Some(file) = wrote {
                say(format_args!("dsh-build: wrote {}", group.workspace.relative(&file)));
            }
        }
        profiles += compiled.len();
    }
    say(format_args!("dsh-build: {}, {}", counted(profiles, "profile"), counted(changed, "change")));
    signals.check().map_err(said)
}

/// Writes what differs and yields how many changes that were.
fn write_group(group: &Group, all: &[Target], lock: &RunLock, network: Network, output: &Output) -> Result<usize, u8> {
    let changes = write(&group.workspace, all, group.is_whole, lock).map_err(said)?;
    for change in &changes {
        match change {
            Change::File { file, .. } => say(format_args!("dsh-build: wrote {file}")),
            Change::Orphan { path } => say(format_args!("dsh-build: removed {path}")),
        }
    }
    if !changes.is_empty() && group.workspace.has_plugins() {
        // The lock file lists what generated crates depend on.
        let mut diagnostics = Diagnostics::new();
        update_lock_file(&group.workspace, network, &mut diagnostics);
        output.show(&diagnostics)?;
    }
    Ok(changes.len())
}

/// The profiles that were asked for, by where they are compiled.
fn groups(search: &Search, arguments: &SyncArguments, network: Network) -> Result<Vec<Group>, u8> {
    if arguments.profiles.is_empty() {
        let workspace = search.workspace()?;
        let sources = Compiler::new(&workspace, network).shipped_profiles().into_iter().map(Source::of).collect();
        return Ok(vec![Group { workspace, is_whole: true, sources }]);
    }
    let mut groups: BTreeMap<_, Group> = BTreeMap::new();
    for profile in BTreeSet::from_iter(&arguments.profiles) {
        let (workspace, source) = search.of(Source::of(profile.clone()))?;
        let key = workspace.root().to_owned();
        groups.entry(key).or_insert(Group { workspace, is_whole: false, sources: Vec::new() }).sources.push(source);
    }
    Ok(groups.into_values().collect())
}

/// The crates of each group with what they were made of; none when a profile is refused.
fn prepare(groups: &[Group], network: Network, output: &Output) -> Result<Vec<Prepared>, u8> {
    let mut diagnostics = Diagnostics::new();
    let mut all = Vec::new();
    for Group { workspace, is_whole, sources } in groups {
        let mut compiler = Compiler::new(workspace, network);
        let own = is_whole.then(|| kept::schemas_in(&workspace.generated(), &compiler.declarations(&mut diagnostics).index));
        let compiled: Vec<Compiled> = sources.iter().filter_map(|source| compiler.compile(source, &mut diagnostics)).collect();
        let targets = own.into_iter().chain(compiled.iter().flat_map(|compiled| kept::of_profile(workspace, compiled))).collect();
        all.push(Prepared { targets, compiled });
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

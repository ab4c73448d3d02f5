//! `dsh-build sync`.

use std::collections::{BTreeMap, BTreeSet};

use super::REFUSED;
use super::arguments::SyncArguments;
use super::describing::Describing;
use super::output::{Output, counted, said};
use super::search::Search;
use crate::build::{RunLock, Signals, lock_beside, stale_lock_beside};
use crate::catalog;
use crate::compile::{Compiled, Compiler, Source};
use crate::console::say;
use crate::diagnostics::Diagnostics;
use crate::index::{Network, update_lock_file};
use crate::inventory::Inventory;
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
    /// The schemas and catalogs of the workspace, where all that it ships was asked for, and the crates of profiles.
    targets: Vec<Target>,
    profiles: Vec<(Compiled, Inventory)>,
}

impl Prepared {
    fn describing<'a>(&'a self, group: &'a Group) -> impl Iterator<Item = Describing<'a>> {
        self.profiles.iter().map(|(compiled, inventory)| Describing { workspace: &group.workspace, compiled, inventory })
    }
}

/// Writes the generated crates of the named profiles, or of all, with their catalogs, and the schemas and catalogs of the workspace, or says
/// how they differ.
pub(super) fn sync(search: &Search, arguments: &SyncArguments, network: Network, output: &Output) -> Result<(), u8> {
    let groups = groups(search, arguments, network)?;
    if arguments.check {
        let mut changes = Vec::new();
        for (group, prepared) in groups.iter().zip(prepare(&groups, network, output)?) {
            changes.extend(check_group(group, &prepared, network)?);
        }
        return show(&changes, output);
    }
    let locks = groups.iter().map(|group| RunLock::take(&group.workspace)).collect::<Result<Vec<_>, _>>().map_err(said)?;
    let prepared = prepare(&groups, network, output)?;
    // All files are written or none: a signal is heeded when that is done.
    let mut signals = Signals::catch().map_err(said)?;
    let (mut profiles, mut changed) = (0, 0);
    for ((group, prepared), lock) in groups.iter().zip(&prepared).zip(&locks) {
        signals.check().map_err(said)?;
        changed += write_group(group, &prepared.targets, lock, network, output)?;
        for (compiled, _) in &prepared.profiles {
            let wrote = lock_beside(&group.workspace, compiled, network).map_err(said)?;
            changed += usize::from(wrote.is_some());
            if let Some(file) = wrote {
                say(format_args!("dsh-build: wrote {}", group.workspace.relative(&file)));
            }
        }
        profiles += prepared.profiles.len();
    }
    signals.check().map_err(said)?;
    // Building listens for signals itself.
    drop(signals);
    for ((group, prepared), lock) in groups.iter().zip(&prepared).zip(&locks) {
        for describing in prepared.describing(group) {
            changed += write_catalogs(group, &describing, network, lock)?;
        }
    }
    say(format_args!("dsh-build: {}, {}", counted(profiles, "profile"), counted(changed, "change")));
    Ok(())
}

/// How a group differs from what it should be. A binary is asked where its crate is as it should be and its catalogs were made from
/// something else; when it says the same, they are right all the same.
fn check_group(group: &Group, prepared: &Prepared, network: Network) -> Result<Vec<Change>, u8> {
    let mut changes = compare(&group.workspace, &prepared.targets, group.is_whole).map_err(said)?;
    let is_stale = !changes.is_empty();
    for describing in prepared.describing(group) {
        let kept = kept::described(&group.workspace, describing.compiled);
        let described = match (describing.current()?, kept) {
            (Some(current), _) => current,
            (None, Some(kept)) if is_stale => kept,
            (None, None) if is_stale => continue,
            (None, kept) => {
                let lock = RunLock::take(&group.workspace).map_err(said)?;
                describing.build_and_ask(network, &lock)?.unless_same(kept)
            }
        };
        let target = kept::catalogs_of(&group.workspace, describing.compiled, describing.inventory, &described);
        changes.extend(compare(&group.workspace, &[target], false).map_err(said)?);
    }
    for (compiled, _) in &prepared.profiles {
        let stale = stale_lock_beside(&group.workspace, compiled, network).map_err(said)?;
        changes.extend(stale.map(|lock| Change::of_text(group.workspace.relative(&lock.path), &lock.held, &lock.fresh)));
    }
    Ok(changes)
}

/// Writes the catalogs of a profile and yields how many files that changed. Its binary is asked where they were made from something else.
fn write_catalogs(group: &Group, describing: &Describing<'_>, network: Network, lock: &RunLock) -> Result<usize, u8> {
    let described = match describing.current()? {
        Some(current) => current,
        None => describing.build_and_ask(network, lock)?,
    };
    let target = kept::catalogs_of(&group.workspace, describing.compiled, describing.inventory, &described);
    let changes = write(&group.workspace, &[target], false, lock).map_err(said)?;
    tell(&changes);
    Ok(changes.len())
}

fn tell(changes: &[Change]) {
    for change in changes {
        match change {
            Change::File { file, .. } => say(format_args!("dsh-build: wrote {file}")),
            Change::Orphan { path } => say(format_args!("dsh-build: removed {path}")),
        }
    }
}

/// Writes what differs and yields how many changes that were.
fn write_group(group: &Group, all: &[Target], lock: &RunLock, network: Network, output: &Output) -> Result<usize, u8> {
    let changes = write(&group.workspace, all, group.is_whole, lock).map_err(said)?;
    tell(&changes);
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
        let own = is_whole.then(|| kept::of_plugins(workspace, &compiler.declarations(&mut diagnostics)));
        let compiled = sources.iter().filter_map(|source| compiler.compile(source, &mut diagnostics));
        let profile = |compiled: Compiled| {
            let inventory = Inventory::of_profile(&compiled.plan, &compiled.declarations.metadata, workspace);
            (compiled, inventory)
        };
        let profiles: Vec<_> = compiled.map(profile).collect();
        if *is_whole && !diagnostics.has_errors() {
            let index = &compiler.declarations(&mut diagnostics).index;
            catalog::check(index, profiles.iter().map(|(compiled, _)| &compiled.plan), &mut diagnostics);
        }
        let crates = profiles.iter().flat_map(|(compiled, inventory)| kept::of_profile(workspace, compiled, inventory));
        all.push(Prepared { targets: own.into_iter().flatten().chain(crates).collect(), profiles });
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

//! `dsh-build sync`.

use std::collections::BTreeSet;
use std::path::Path;

use super::REFUSED;
use super::arguments::SyncArguments;
use super::output::{Output, counted, said};
use crate::build::RunLock;
use crate::compile::{Compiler, Source};
use crate::console::say;
use crate::diagnostics::Diagnostics;
use crate::emit::emit;
use crate::index::Network;
use crate::schema::{FOLDER, schemas};
use crate::sync::{Change, Target, compare, write};
use crate::workspace::Workspace;

/// Writes the generated crates of the named profiles, or of all, and the schemas, or says how they differ.
pub(super) fn sync(workspace: &Workspace, arguments: &SyncArguments, network: Network, output: &Output) -> Result<(), u8> {
    let is_whole = arguments.profiles.is_empty();
    if arguments.check {
        let (all, _) = targets(workspace, arguments, network, output)?;
        return show(&compare(workspace, &all, is_whole).map_err(said)?, output);
    }
    let lock = RunLock::take(workspace).map_err(said)?;
    let (all, profiles) = targets(workspace, arguments, network, output)?;
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
    say(format_args!("dsh-build: {}, {}", counted(profiles, "profile"), counted(changes.len(), "change")));
    Ok(())
}

/// The crates of all profiles that were asked for, with the schemas of the workspace or of the folders beside which they are kept, and
/// the number of profiles; nothing when one of them is refused.
fn targets(workspace: &Workspace, arguments: &SyncArguments, network: Network, output: &Output) -> Result<(Vec<Target>, usize), u8> {
    let mut diagnostics = Diagnostics::new();
    let compiler = Compiler::open(workspace, network, &mut diagnostics);
    let names: BTreeSet<String> = match arguments.profiles.as_slice() {
        [] => compiler.shipped_profiles().into_iter().collect(),
        named => named.iter().cloned().collect(),
    };
    let (mut all, mut profiles) = (Vec::new(), 0);
    if arguments.profiles.is_empty() {
        all.push(schema_target(&workspace.generated(), &compiler));
    }
    for profile in names {
        if let Some(compiled) = compiler.compile(&Source { profile, patches: Vec::new() }, &mut diagnostics) {
            let generated = emit(&compiled.plan);
            let elsewhere = compiled.elsewhere.map(|folder| folder.join("generated"));
            all.extend(elsewhere.iter().map(|folder| schema_target(folder, &compiler)));
            let folder = elsewhere.unwrap_or_else(|| workspace.generated()).join(&generated.profile);
            all.push(Target { folder, files: generated.files });
            profiles += 1;
        }
    }
    output.show(&diagnostics)?;
    Ok((all, profiles))
}

/// The schemas in a folder of generated files.
pub(super) fn schema_target(generated: &Path, compiler: &Compiler) -> Target {
    Target { folder: generated.join(FOLDER), files: schemas(&compiler.index) }
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

//! `dsh-build new`.

use std::path::{Path, PathBuf};

use super::USAGE;
use super::arguments::{NewArguments, NewKind};
use super::output::{Output, said};
use super::search::Search;
use crate::build::Signals;
use crate::console::say;
use crate::diagnostics::Diagnostics;
use crate::index::{Network, workspace_metadata};
use crate::scaffold::{Kind, ScaffoldError, plugin, profile};
use crate::workspace::Workspace;

/// Makes a crate or a profile; the last lines on standard output say what to do with it.
pub(super) fn new(search: &Search, asked: &NewArguments, network: Network, output: &Output) -> Result<(), u8> {
    let workspace = search.workspace()?;
    // A signal is heeded when the folder is whole.
    let mut signals = Signals::catch().map_err(said)?;
    make(&workspace, asked, network, output)?;
    signals.check().map_err(said)
}

fn make(workspace: &Workspace, asked: &NewArguments, network: Network, output: &Output) -> Result<(), u8> {
    let kind = match asked.kind {
        NewKind::Plugin => Kind::Plugin,
        NewKind::Tool => Kind::Tool,
        NewKind::Profile => return new_profile(asked, workspace, output),
    };
    if !asked.with.is_empty() {
        say("error: `--with` is for `dsh-build new profile`");
        return Err(USAGE);
    }
    let mut problems = Diagnostics::new();
    let metadata = workspace_metadata(workspace, network, &mut problems);
    output.show(&problems)?;
    let parent = asked.path.clone().unwrap_or_else(|| PathBuf::from("."));
    let made =
        plugin(kind, &asked.name, &parent, workspace, &metadata.unwrap_or_default()).map_err(|error| refused(&error, &asked.name))?;
    let (name, folder) = (&asked.name, shown(&made));
    say(format_args!("dsh-build: wrote {folder}: Cargo.toml, README.md, src/lib.rs, tests/{}.rs", name.replace('-', "_")));
    output.answer(&format!(
        "test it:             (cd {folder} && cargo test)\n\
         use it in a profile: dsh-build new profile {name}-agent --with {folder}\n"
    ))
}

fn new_profile(asked: &NewArguments, workspace: &Workspace, output: &Output) -> Result<(), u8> {
    let is_inside = std::env::current_dir().and_then(|here| here.canonicalize()).is_ok_and(|here| here.starts_with(workspace.root()));
    let parent = match &asked.path {
        Some(path) => path.clone(),
        None if is_inside => workspace.profiles(),
        None => PathBuf::from("."),
    };
    let made = profile(&asked.name, &parent, &asked.with, workspace).map_err(|error| refused(&error, &asked.name))?;
    let folder = shown(&made);
    let told = if is_inside { workspace.relative(&made) } else { folder.clone() };
    say(format_args!("dsh-build: wrote {told}/profile.yml"));
    // A bare name is looked for among the shipped profiles.
    let named = match made.parent().and_then(|parent| parent.canonicalize().ok()) == Some(workspace.profiles()) {
        true => asked.name.clone(),
        false if folder.contains('/') => folder,
        false => format!("./{folder}"),
    };
    output.answer(&format!("check it: dsh-build check --profile {named}\nbuild it: dsh-build --profile {named}\n"))
}

/// A path as it is written in commands.
fn shown(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = text.strip_prefix("./").unwrap_or(&text);
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+@".contains(letter);
    if text.chars().all(is_plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

fn refused(error: &ScaffoldError, name: &str) -> u8 {
    say(format_args!("error: {error}"));
    match error {
        ScaffoldError::Taken(_) | ScaffoldError::TakenPackage { .. } => say("help: choose another name; nothing was written"),
        ScaffoldError::Misplaced { .. } => {
            say(format_args!("help: add `--path plugins/GROUP`, where GROUP is the folder of plugins that `{name}` belongs with"));
        }
        ScaffoldError::Name(_) | ScaffoldError::Lacks(_) | ScaffoldError::NoCrate { .. } | ScaffoldError::Io { .. } => {}
    }
    USAGE
}

//! The command line: words to a command, problems to text and an exit status.

mod arguments;
mod build;
mod check;
mod compiled;
mod demo;
mod diff;
mod dump;
mod explain;
mod graph;
mod graphviz;
mod import;
mod list;
mod output;
mod plan;
mod schema;
mod sync;
mod verify;
mod why;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};

use crate::console::say;
use crate::workspace::{Workspace, WorkspaceError};
use arguments::{Arguments, Command};
use output::Output;

/// The exit status of a refused composition or a stale file.
const REFUSED: u8 = 1;
/// The exit status of wrong usage or of what the machine could not do.
const USAGE: u8 = 2;
/// The exit status of a fault of the compiler itself.
const FAULT: u8 = 101;

/// Runs the program with its words, the first of which is its name, and yields its exit status.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = match Arguments::try_parse_from(words) {
        Ok(arguments) => arguments,
        Err(error) => return refuse_usage(&error),
    };
    // The default hook has said where and why; what is left to say is whose fault it is.
    catch_unwind(AssertUnwindSafe(|| dispatch(arguments))).unwrap_or_else(|_| {
        say("dsh-build: this is a fault of the compiler, not of your composition");
        FAULT
    })
}

/// The names of all commands.
pub(crate) fn commands() -> Vec<String> {
    Arguments::command().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

fn dispatch(arguments: Arguments) -> u8 {
    if let Some(error) = arguments.misplaced() {
        return refuse_usage(&error);
    }
    let workspace = match find_workspace(arguments.workspace.as_deref()) {
        Ok(workspace) => workspace,
        Err(error) => {
            say(format_args!("error: {error}\nhelp: go to the workspace, or name it with `--workspace DIR` or `DSH_WORKSPACE`"));
            return USAGE;
        }
    };
    let output = Output::new(arguments.message_format, arguments.deny_warnings());
    let network = arguments.network();
    let outcome = match arguments.command {
        Some(Command::Check(source)) => check::check(&workspace, &source.into(), network, &output),
        Some(Command::Plan(source)) => plan::plan(&workspace, &source.into(), network, &output),
        Some(Command::Dump(asked)) if asked.default => dump::dump_bundles(&workspace, &asked.source.into(), &output),
        Some(Command::Dump(asked)) => dump::dump(&workspace, &asked.source.into(), network, &output),
        Some(Command::Why(asked)) => why::why(&workspace, &asked.name, &asked.source.into(), network, &output),
        Some(Command::Graph(asked)) => graph::graph(&workspace, asked, network, &output),
        Some(Command::Diff(asked)) => diff::diff(&workspace, &asked.left, &asked.right, network, &output),
        Some(Command::List(asked)) => list::list(&workspace, asked.what, network, &output),
        Some(Command::Import(asked)) => import::import(&workspace, &asked, network, &output),
        Some(Command::Schema(asked)) => schema::schema(&workspace, &asked, network, &output),
        Some(Command::Sync(options)) => sync::sync(&workspace, &options, network, &output),
        Some(Command::Verify(asked)) => verify::verify(&workspace, &asked, network, &output),
        Some(Command::Explain(asked)) => explain::explain(&asked.code, &output),
        Some(Command::Demo) => demo::demo(&workspace, network, &output),
        None => match arguments.build.source() {
            Some(source) if arguments.build.dump_config => dump::dump(&workspace, &source, network, &output),
            Some(source) if arguments.build.dump_default_config => dump::dump_bundles(&workspace, &source, &output),
            Some(source) => build::build(&workspace, &source, &arguments.build, network, &output),
            None => Err(refuse_usage(&Arguments::without_profile())),
        },
    };
    outcome.err().unwrap_or(0)
}

/// Help and version are answers, the rest is wrong usage.
fn refuse_usage(error: &clap::Error) -> u8 {
    // Whoever closed the stream does not want to read it.
    let _ = error.print();
    if let Some(tip) = tip(error) {
        say(tip);
    }
    if error.use_stderr() { USAGE } else { 0 }
}

/// What was probably meant by a word that has no place where it stands.
fn tip(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg).filter(|_| error.kind() == ErrorKind::UnknownArgument) else {
        return None;
    };
    match word.as_str() {
        "--profile" => Some("help: `sync` and `diff` take the names of profiles without `--profile`".to_owned()),
        word if !word.starts_with('-') => Some(format!("help: a profile is named with `--profile {word}`")),
        _ => None,
    }
}

fn find_workspace(named: Option<&Path>) -> Result<Workspace, WorkspaceError> {
    let variable = std::env::var_os("DSH_WORKSPACE").filter(|value| !value.is_empty());
    match named.or(variable.as_deref().map(Path::new)) {
        Some(folder) => Workspace::at(folder),
        None => Workspace::above(Path::new(".")),
    }
}

//! The command line: words to a command, problems to text and an exit status.

mod arguments;
mod build;
mod check;
mod clean;
mod compiled;
mod completions;
mod demo;
mod describing;
mod diff;
mod dump;
mod explain;
mod graph;
mod graphviz;
mod import;
mod list;
mod new;
mod output;
mod plan;
mod schema;
mod search;
mod sync;
mod tips;
mod verify;
mod why;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use clap::{CommandFactory, Parser};

use crate::console::say;
use arguments::{Arguments, Command};
use output::Output;
use search::Search;

/// The exit status of a refused composition or a stale file.
const REFUSED: u8 = 1;
/// The exit status of wrong usage or of what the machine could not do.
const USAGE: u8 = 2;
/// The exit status of a fault of the compiler itself.
const FAULT: u8 = 101;

/// Runs the program with its words, the first of which is its name, and yields its exit status.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let words: Vec<OsString> = words.into_iter().collect();
    let arguments = match Arguments::try_parse_from(&words) {
        Ok(arguments) => arguments,
        Err(error) => return refuse_usage(error, &words),
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
    if let Some(error) = arguments.misplaced().or_else(|| arguments.repeated()) {
        return refuse_usage(error, &[]);
    }
    let search = Search::new(arguments.workspace.clone());
    let output = Output::new(arguments.message_format, arguments.deny_warnings());
    let network = arguments.network();
    let outcome = match arguments.command {
        Some(Command::Check(source)) => check::check(&search, source.into(), network, &output),
        Some(Command::Plan(source)) => plan::plan(&search, source.into(), network, &output),
        Some(Command::Dump(asked)) if asked.default => dump::dump_bundles(&search, asked.source.into(), network, &output),
        Some(Command::Dump(asked)) => dump::dump(&search, asked.source.into(), network, &output),
        Some(Command::Why(asked)) => why::why(&search, &asked.name, asked.source.into(), network, &output),
        Some(Command::Graph(asked)) => graph::graph(&search, asked, network, &output),
        Some(Command::Diff(asked)) => diff::diff(&search, &asked.left, &asked.right, network, &output),
        Some(Command::List(asked)) => search.workspace().and_then(|workspace| list::list(&workspace, asked.what, network, &output)),
        Some(Command::Import(asked)) => import::import(&search, &asked, network, &output),
        Some(Command::Schema(asked)) => schema::schema(&search, &asked, network, &output),
        Some(Command::Sync(options)) => sync::sync(&search, &options, network, &output),
        Some(Command::Verify(asked)) => verify::verify(&search, &asked, network, &output),
        Some(Command::New(asked)) => new::new(&search, &asked, network, &output),
        Some(Command::Clean(asked)) => clean::clean(&search, asked.profile),
        Some(Command::Completions(asked)) => completions::completions(asked.shell, &output),
        Some(Command::Explain(asked)) => explain::explain(&asked.code, &output),
        Some(Command::Demo) => demo::demo(&search, network, &output),
        None => match arguments.build.source() {
            Some(source) if arguments.build.dump_config => dump::dump(&search, source, network, &output),
            Some(source) if arguments.build.dump_default_config => dump::dump_bundles(&search, source, network, &output),
            Some(source) => build::build(&search, source, &arguments.build, network, &output),
            None => Err(refuse_usage(Arguments::without_profile(), &[])),
        },
    };
    outcome.err().unwrap_or(0)
}

/// Help and version are answers, the rest is wrong usage.
fn refuse_usage(mut error: clap::Error, words: &[OsString]) -> u8 {
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let tip = tips::tip(&mut error, &words, &commands());
    // Whoever closed the stream does not want to read it.
    let _ = error.print();
    if let Some(tip) = tip {
        say(tip);
    }
    if error.use_stderr() { USAGE } else { 0 }
}

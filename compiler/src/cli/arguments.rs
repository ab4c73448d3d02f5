//! What can be asked for.

mod flags;
mod of_commands;

use flags::FlagArguments;
pub(super) use of_commands::{
    CleanArguments, CompletedShell, CompletionsArguments, DiffArguments, GraphArguments, GraphFormat, ImportArguments, NewArguments,
    NewKind, ReadAs, Schema, SchemaArguments, VerifyArguments, WhyArguments,
};

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

use crate::build::Optimization;
use crate::compile::Source;
use crate::index::Network;

const EXAMPLES: &str = "\
Examples:
  dsh-build --profile minimal              build the profile, print the binary's path
  dsh-build --profile minimal --ship --static --seal
                                           build the smallest file, which runs on any Linux and takes no configuration
  dsh-build check --profile minimal        say what is wrong with it, build nothing
  dsh-build plan --profile minimal         show what mounts when and who provides what
  dsh-build dump --profile minimal         write its rows after all layers, with where each came from
  dsh-build why tools --profile minimal    where is it from, who needs it, what breaks without it?
  dsh-build diff minimal demo              how do two profiles differ?
  dsh-build list plugins                   what can be composed?
  dsh-build sync --check                   is everything below generated/ up to date?
  dsh-build verify                         does the repository keep its own rules?
  dsh-build import cordis.yml              say the same in this language, and what has no counterpart
  dsh-build explain DSH0301                what does this code mean, and what helps?
  dsh-build new tool weather               make a crate with a tool in the current folder
  dsh-build demo                           build an agent and watch it mend a small program

Exit status: 0 done; 1 the composition is refused, a plugin does not compile, a generated file is stale or something was
not translated; 2 wrong usage or a failed read or write; 101 a fault of the compiler itself.";

const USAGE: &str = "dsh-build --profile <NAME|DIR> [OPTIONS]\n       dsh-build <COMMAND> [OPTIONS]";

/// Compiles a profile of an agent into one small binary.
///
/// A profile (`profiles/NAME/profile.yml`) lists plugins with their configuration. dsh-build checks that they fit together, writes
/// the Rust that mounts them to `generated/NAME/`, and has cargo build it. The last line on standard output is the binary's path.
/// For a profile from outside of the workspace, what is written and a lock file are kept beside its `profile.yml`. One that lists
/// `dsh-runtime` and all its plugins under `crates` needs no workspace.
#[derive(Debug, Parser)]
#[command(name = "dsh-build", version, after_help = EXAMPLES, arg_required_else_help = true)]
#[command(disable_help_subcommand = true, override_usage = USAGE)]
pub(super) struct Arguments {
    /// What to do instead of a build.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// What to build.
    #[command(flatten)]
    pub build: BuildArguments,
    /// The workspace to work in [default: DSH_WORKSPACE, else the nearest one above the current folder]
    #[arg(long, global = true, value_name = "DIR")]
    pub workspace: Option<PathBuf>,
    /// How answers and problems are written: for readers, problems on standard error, or as JSON on standard output, one object a line
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human")]
    pub message_format: MessageFormat,
    /// Refuse a composition that gives warnings
    #[arg(long, global = true, value_name = "WHAT")]
    pub deny: Option<Denied>,
    /// Keep cargo from the network
    #[arg(long, global = true)]
    pub offline: bool,
    /// Keep cargo from changing the lock file
    #[arg(long, global = true)]
    pub locked: bool,
}

/// A command.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Check a profile and build nothing
    Check(SourceArguments),
    /// Show a profile's mount order, services, listeners, tools and ways in
    Plan(SourceArguments),
    /// Write a profile's rows after all layers, as a patch list that loads again and says where each came from
    #[command(visible_alias = "show")]
    Dump(DumpArguments),
    /// Say where a part of a profile came from, who needs it and what would not mount without it
    Why(WhyArguments),
    /// Draw who takes what from whom in a profile
    Graph(GraphArguments),
    /// Say how two profiles differ
    Diff(DiffArguments),
    /// List what can be composed
    List(ListArguments),
    /// Write the generated crates of profiles and the schemas, or check that they are fresh
    Sync(SyncArguments),
    /// Check the rules of the repository
    Verify(VerifyArguments),
    /// Write JSON Schema of profiles and patch lists for editors, also where a profile is refused
    Schema(SchemaArguments),
    /// Translate compositions of the reference implementation into patch lists
    Import(ImportArguments),
    /// Make a plugin crate, a crate with a tool, or a profile, ready to be built and tested
    New(NewArguments),
    /// Remove what builds have made: binaries, caches, scratch files. Generated crates and lock files stay
    Clean(CleanArguments),
    /// Write a completion script for a shell to standard output
    Completions(CompletionsArguments),
    /// Say what the code of a problem means, why its rule is there and what helps
    Explain(Explained),
    /// Build the profile `demo` and let it mend a small program, without a model server
    Demo,
}

/// Which code.
#[derive(Debug, Args)]
pub(super) struct Explained {
    /// The code, such as DSH0301, or its number
    pub code: String,
}

/// Which profile.
#[derive(Debug, Args)]
pub(super) struct SourceArguments {
    /// Name of a profile, or its folder
    #[arg(long, value_name = "NAME|DIR")]
    profile: String,
    /// A patch list to apply after the profile's own; may be given again
    #[arg(long, value_name = "FILE")]
    patch: Vec<PathBuf>,
}

/// What to write.
#[derive(Debug, Args)]
pub(super) struct DumpArguments {
    /// Of what.
    #[command(flatten)]
    pub source: SourceArguments,
    /// What the bundles alone give; nothing else of the profile is looked at
    #[arg(long, conflicts_with = "patch")]
    pub default: bool,
}

/// What to list.
#[derive(Debug, Args)]
pub(super) struct ListArguments {
    /// Of which kind
    #[arg(value_name = "KIND")]
    pub what: Listed,
}

/// What can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Listed {
    /// Profiles that can be asked for by name.
    Profiles,
    /// Plugins that rows can name.
    Plugins,
    /// Bundles that profiles can list.
    Bundles,
}

/// What a build takes.
#[derive(Debug, Default, PartialEq, Eq, Args)]
pub(super) struct BuildArguments {
    /// Name of a profile, or its folder
    #[arg(long, value_name = "NAME|DIR")]
    profile: Option<String>,
    /// A patch list to apply after the profile's own; may be given again. The generated crate is then not kept
    #[arg(long, value_name = "FILE")]
    patch: Vec<PathBuf>,
    /// Build for tests and debuggers, to target/dsh/debug/
    #[arg(long, conflicts_with = "ship")]
    debug: bool,
    /// Build the smallest binary, to target/dsh/ship/; takes minutes
    #[arg(long)]
    ship: bool,
    /// How the binary is built where it is not as the profile says.
    #[command(flatten)]
    flags: FlagArguments,
    /// Build nothing; write the rows after all layers, as `dump` does
    #[arg(long, conflicts_with_all = ["debug", "ship", "out", "dump_default_config"])]
    pub dump_config: bool,
    /// Build nothing; write what the bundles alone give, as `dump --default` does
    #[arg(long, conflicts_with_all = ["debug", "ship", "out", "patch"])]
    pub dump_default_config: bool,
    /// Where the binary goes [default: target/dsh/dsh-NAME]
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
}

/// What `sync` takes.
#[derive(Debug, Args)]
pub(super) struct SyncArguments {
    /// Write nothing; show what differs and exit 1 if anything does
    #[arg(long)]
    pub check: bool,
    /// Names of profiles, or their folders [default: all of the workspace, and crates that belong to none are removed]
    #[arg(value_name = "NAME|DIR")]
    pub profiles: Vec<String>,
}

/// How problems are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum MessageFormat {
    /// For readers.
    Human,
    /// For programs.
    Json,
}

/// What may be refused besides errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Denied {
    /// Warnings.
    Warnings,
}

impl Arguments {
    /// Refuses what is missing for a build.
    pub(super) fn without_profile() -> clap::Error {
        let words = "a build takes `--profile NAME`; `dsh-build --help` lists the other commands";
        Self::command().error(ErrorKind::MissingRequiredArgument, words)
    }

    /// Refuses options of a build that stand before a command.
    pub(super) fn misplaced(&self) -> Option<clap::Error> {
        let is_misplaced = self.command.is_some() && self.build != BuildArguments::default();
        let words = "the options of a command stand after it: `dsh-build check --profile NAME`";
        is_misplaced.then(|| Self::command().error(ErrorKind::ArgumentConflict, words))
    }

    /// Refuses a variable that is set twice.
    pub(super) fn repeated(&self) -> Option<clap::Error> {
        let name = self.build.flags.repeated()?;
        Some(Self::command().error(ErrorKind::ArgumentConflict, format!("`--set {name}=…` is given twice")))
    }

    pub(super) fn network(&self) -> Network {
        Network { offline: self.offline, locked: self.locked }
    }

    pub(super) fn deny_warnings(&self) -> bool {
        self.deny == Some(Denied::Warnings)
    }
}

impl BuildArguments {
    /// What to compile; `None` when no profile was named.
    pub(super) fn source(&self) -> Option<Source> {
        Some(Source { profile: self.profile.clone()?, patches: self.patch.clone(), flags: (&self.flags).into() })
    }

    pub(super) fn optimization(&self) -> Optimization {
        match (self.debug, self.ship) {
            (true, _) => Optimization::Debug,
            (false, true) => Optimization::Ship,
            (false, false) => Optimization::Release,
        }
    }
}

impl From<SourceArguments> for Source {
    fn from(arguments: SourceArguments) -> Self {
        Self { patches: arguments.patch, ..Self::of(arguments.profile) }
    }
}

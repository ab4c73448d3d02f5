//! What single commands take. What all of them, builds and checks take stands one level up.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::SourceArguments;

/// What is to be made.
#[derive(Debug, Args)]
pub(in crate::cli) struct NewArguments {
    /// Of which kind
    #[arg(value_name = "KIND")]
    pub kind: NewKind,
    /// Its name: lower-case letters, digits and hyphens. The package of a plugin is `dsh-NAME`
    pub name: String,
    /// The folder in which the new folder NAME is made [default: the current one]
    #[arg(long, value_name = "DIR")]
    pub path: Option<PathBuf>,
    /// A crate that the new profile mounts, by its folder; may be given again
    #[arg(long, value_name = "DIR")]
    pub with: Vec<PathBuf>,
}

/// What can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum NewKind {
    /// A crate with a service and a listener.
    Plugin,
    /// A crate with a tool.
    Tool,
    /// A profile with the bundle `minimal`.
    Profile,
}

/// What `clean` takes.
#[derive(Debug, Args)]
pub(in crate::cli) struct CleanArguments {
    /// A profile that needs no workspace, by its folder [default: the workspace is cleaned]
    #[arg(long, value_name = "DIR")]
    pub profile: Option<String>,
}

/// For which shell.
#[derive(Debug, Args)]
pub(in crate::cli) struct CompletionsArguments {
    /// The shell
    pub shell: CompletedShell,
}

/// A shell that can complete words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum CompletedShell {
    /// Bash.
    Bash,
    /// Zsh.
    Zsh,
    /// Fish.
    Fish,
}

/// What is asked about a part of a profile.
#[derive(Debug, Args)]
pub(in crate::cli) struct WhyArguments {
    /// A row's id, a service's key, a tool's or an event's name, or a config field as `row.path.to.field`
    #[arg(value_name = "ROW|SERVICE|TOOL|EVENT|FIELD")]
    pub name: String,
    /// Of what.
    #[command(flatten)]
    pub source: SourceArguments,
}

/// How a graph is drawn.
#[derive(Debug, Args)]
pub(in crate::cli) struct GraphArguments {
    /// Of what.
    #[command(flatten)]
    pub source: SourceArguments,
    /// In which language, or as which picture, which Graphviz draws [default: mermaid, or json with `--message-format json`]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<GraphFormat>,
    /// Draw the events that are dispatched and heard too
    #[arg(long)]
    pub events: bool,
    /// Write to this file [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// A form of graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum GraphFormat {
    /// Mermaid's flowcharts.
    Mermaid,
    /// Graphviz.
    Dot,
    /// JSON.
    Json,
    /// A picture of lines.
    Svg,
    /// A picture of points.
    Png,
}

/// Which two profiles.
#[derive(Debug, Args)]
pub(in crate::cli) struct DiffArguments {
    /// Name of a profile, or its folder
    #[arg(value_name = "PROFILE")]
    pub left: String,
    /// Name of the profile to compare it with, or its folder
    #[arg(value_name = "PROFILE")]
    pub right: String,
}

/// What `verify` takes.
#[derive(Debug, Args)]
pub(in crate::cli) struct VerifyArguments {
    /// Names of gates [default: all that only read]
    #[arg(value_name = "GATE")]
    pub gates: Vec<String>,
    /// Name the gates and what they protect, and check nothing
    #[arg(long, conflicts_with_all = ["gates", "all", "tree", "exempted"])]
    pub list: bool,
    /// Check the gates too that have cargo build or test something
    #[arg(long, conflicts_with = "gates")]
    pub all: bool,
    /// Say too what was found and may stay, with the reasons
    #[arg(long)]
    pub exempted: bool,
    /// A plugin's folder outside of the workspace to check instead
    #[arg(long, value_name = "DIR")]
    pub tree: Option<PathBuf>,
}

/// What is translated.
#[derive(Debug, Args)]
pub(in crate::cli) struct ImportArguments {
    /// Files of one composition, in the order in which they apply
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Write a patch list for each file to this folder [default: all to standard output, as one]
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// What the files are [default: rows where each element has `name` and none has `insert`]
    #[arg(long = "as", value_name = "FORM")]
    pub read_as: Option<ReadAs>,
}

/// A form of compositions of the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ReadAs {
    /// Lists of rows.
    Rows,
    /// Patch lists.
    Patch,
}

/// Which schema, or where.
#[derive(Debug, Args)]
pub(in crate::cli) struct SchemaArguments {
    /// Print this schema instead of writing both to `generated/schema/`
    #[arg(long, value_name = "SCHEMA", conflicts_with = "beside")]
    pub print: Option<Schema>,
    /// Write to `generated/schema/` in this folder, that of a profile outside of the workspace
    #[arg(value_name = "DIR")]
    pub beside: Option<PathBuf>,
}

/// A schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Schema {
    /// Of `profile.yml`.
    Profile,
    /// Of bundles and patch files.
    Patch,
}

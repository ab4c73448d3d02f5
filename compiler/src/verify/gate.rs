//! What a gate is.

use super::{RustFile, Tree};
use crate::diagnostics::{Diagnostics, Rule};
use crate::index::Index;

/// A rule of the repository that a machine checks. Each has a file of its own, with a case that breaks it under `compiler/tests/gates/`.
#[derive(Debug)]
pub struct Gate {
    /// Its name on the command line: what it protects.
    pub name: &'static str,
    /// Code, meaning and doc, which `explain` and the reference show too.
    pub rule: Rule,
    /// What to do about a finding that does not say so itself.
    pub fix: &'static str,
    /// What it takes.
    pub cost: Cost,
    /// Which trees it speaks of.
    pub scope: Scope,
    /// How it is checked.
    pub check: Check,
}

/// What a gate takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// It reads files: it always runs.
    Reads,
    /// It has cargo build or test something: it runs where it is named, and with `--all`.
    Builds,
}

/// Which trees a gate speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Every tree that holds plugins, a plugin's folder outside of a workspace too.
    Plugins,
    /// A workspace, with its profiles and documents.
    Workspace,
}

/// How a gate is checked.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// The tree as a whole.
    Tree(fn(&Tree, &mut Diagnostics)),
    /// The tree, and what programs or other stages of the compiler say of it.
    Asks(fn(&Tree, &mut Diagnostics) -> Result<(), GateError>),
    /// The declarations of its plugins.
    Declarations(fn(&Tree, &Index, &mut Diagnostics)),
    /// One Rust file at a time; it is parsed once for all gates.
    Source(fn(&RustFile<'_>, &mut Diagnostics)),
}

/// Why a gate could not look.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    /// A file.
    #[error("`{path}`: {source}")]
    Io {
        /// The file, relative to the tree's root.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A program that it asks.
    #[error("`{program}`: {words}")]
    Program {
        /// The program with its first words.
        program: String,
        /// What it said, or why it did not start.
        words: String,
    },
}

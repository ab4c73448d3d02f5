//! What was translated and what was left.

use std::fmt::{self, Display};
use std::sync::Arc;

use serde::Serialize;

use super::Form;
use crate::diagnostics::{Place, SourceFile};

/// What became of the files of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The files in the order in which they apply.
    pub files: Vec<Imported>,
    /// How many parts were left, in all of them.
    pub left: usize,
}

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// The file.
    pub file: String,
    /// What it was read as.
    pub form: Form,
    /// Rows that were inserted.
    pub rows: usize,
    /// What was left.
    pub left: Vec<Finding>,
    /// What was translated to something that looks different.
    pub notes: Vec<Finding>,
    /// The patch list.
    pub document: String,
}

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Of which kind.
    pub kind: Kind,
    /// `file:line:column`.
    pub at: String,
    /// Id of its row, as the file has it.
    pub row: Option<String>,
    /// The part: a plugin's package, a field's path, an expression, a key.
    pub what: String,
    /// Why it was left, or what became of it.
    pub why: String,
}

/// Kinds of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A row.
    Row,
    /// A change of a row.
    Change,
    /// A config field.
    ConfigField,
    /// An expression.
    Expression,
    /// A feature of the reference that this language does not have.
    Feature,
    /// A row's id.
    Id,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::Change => "change",
            Self::ConfigField => "config field",
            Self::Expression => "expression",
            Self::Feature => "feature",
            Self::Id => "id",
        }
    }
}

impl Finding {
    pub(super) fn new(kind: Kind, row: Option<&str>, place: &Place, what: &str, why: &str) -> Self {
        Self { kind, at: place.to_string(), row: row.map(str::to_owned), what: what.to_owned(), why: why.to_owned() }
    }
}

impl Imported {
    pub(super) fn new(file: &Arc<SourceFile>, form: Form) -> Self {
        let (left, notes, document) = (Vec::new(), Vec::new(), String::new());
        Self { file: file.name().to_owned(), form, rows: 0, left, notes, document }
    }
}

impl Report {
    pub(super) fn new(files: Vec<Imported>) -> Self {
        let left = files.iter().map(|file| file.left.len()).sum();
        Self { files, left }
    }
}

impl Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.files.iter().try_for_each(|file| file.fmt(out))
    }
}

impl Display for Imported {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = match self.form {
            Form::Rows => "a list of rows",
            Form::Patch => "a patch list",
        };
        let (rows, left) = (counted(self.rows, "row"), counted(self.left.len(), "part"));
        writeln!(out, "{}: {form}, {rows} translated, {left} left", self.file)?;
        for (word, findings) in [("left", &self.left), ("note", &self.notes)] {
            for finding in findings {
                writeln!(out, "  {word}: {finding}")?;
            }
        }
        Ok(())
    }
}

impl Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ", self.kind.word())?;
        if let Some(row) = self.row.as_ref().filter(|row| **row != self.what) {
            write!(out, "`{row}` ")?;
        }
        write!(out, "`{}` ({}): {}", self.what.replace('\n', " "), self.at, self.why)
    }
}

fn counted(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}

//! Translates compositions of the reference implementation, patch lists and plain lists of rows, into patch lists of this language.
//!
//! Pure: from texts and declarations to texts and a report. What has no counterpart is never dropped in silence: rows, config fields and
//! features stay in the document as comments, an expression becomes one that the compiler refuses, and the report lists each.

mod comments;
mod config;
mod entry;
mod ids;
mod include;
mod lines;
mod read;
mod report;
mod row;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use read::{Form, Original, original};
pub use report::{Finding, Imported, Kind, Report};

use crate::diagnostics::{Place, SourceFile};
use crate::index::Index;
use crate::load::Node;
use comments::Comments;
use ids::Ids;
use lines::Lines;

/// What became of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fate {
    /// It mounts this plugin.
    Plugin(String),
    /// It is a group.
    Group,
    /// It was left out.
    Left,
}

/// What files of one run know of each other.
#[derive(Default)]
struct Run {
    /// Names of the files before.
    files: Vec<String>,
    ids: Ids,
    /// Rows by their id here.
    rows: BTreeMap<String, Fate>,
}

/// Translates files of one composition, in the order in which they apply.
#[must_use]
pub fn import(originals: &[Original], index: &Index) -> Report {
    let mut run = Run::default();
    let files = originals.iter().map(|original| translate(original, index, &mut run)).collect();
    Report::new(files)
}

fn translate(original: &Original, index: &Index, run: &mut Run) -> Imported {
    let mut translator = Translator {
        index,
        file: Arc::clone(&original.file),
        comments: Comments::new(&original.file),
        run,
        found: Imported::new(&original.file, original.form),
    };
    let mut head = translator.comments.head();
    head.insert(0, format!("# Translated by `dsh-build import` from {}.", original.file.name().rsplit('/').next().unwrap_or_default()));
    let body = match original.form {
        Form::Rows => translator.row_list(&original.items),
        Form::Patch => translator.entries(&original.items),
    };
    let rest = translator.comments.rest();
    let body = if body.has_values() { body } else { body.and(Lines::of(["[]"])) };
    translator.found.document = Lines::of(head).and(body).and(Lines::of(rest)).text();
    let found = translator.found;
    run.files.push(found.file.clone());
    found
}

/// Translates one file.
struct Translator<'a> {
    index: &'a Index,
    file: Arc<SourceFile>,
    comments: Comments,
    run: &'a mut Run,
    found: Imported,
}

impl Translator<'_> {
    /// Reports something that was left, and gives the lines that keep it as a comment.
    fn left(&mut self, kind: Kind, row: Option<&str>, place: &Place, what: &str, why: &str) -> Lines {
        let original = self.original(place);
        self.left_as(original, kind, row, place, what, why)
    }

    /// The same for an element of a list.
    fn left_item(&mut self, kind: Kind, row: Option<&str>, place: &Place, what: &str, why: &str) -> Lines {
        let original = self.original(place).into_iter().enumerate();
        let original = original.map(|(at, line)| format!("{} {line}", if at == 0 { "-" } else { " " })).collect();
        self.left_as(original, kind, row, place, what, why)
    }

    fn left_as(&mut self, original: Vec<String>, kind: Kind, row: Option<&str>, place: &Place, what: &str, why: &str) -> Lines {
        self.found.left.push(Finding::new(kind, row, place, what, why));
        self.comments.skip(place);
        let original = original.into_iter().map(|line| format!("# {line}").trim_end().to_owned());
        Lines::of(std::iter::once(format!("# Not translated: {why}.")).chain(original))
    }

    /// Reports something that was translated, and that its author may want to know.
    fn note(&mut self, kind: Kind, row: Option<&str>, place: &Place, what: &str, why: &str) {
        self.found.notes.push(Finding::new(kind, row, place, what, why));
    }

    /// The lines of a part of the file as they were written, moved to the left.
    fn original(&self, place: &Place) -> Vec<String> {
        let text = self.file.text();
        let column = place.span.start - self.file.line_start(place.span.start);
        let lines = text[place.span.clone()].lines().enumerate().map(|(at, line)| {
            let spaces = line.len() - line.trim_start().len();
            let moved = if at == 0 { line } else { &line[spaces.min(column)..] };
            moved.replace(read::TAG_HERE, read::TAG).trim_end().to_owned()
        });
        lines.collect()
    }
}

/// All of an entry of a mapping.
fn whole(key: &Place, value: &Node) -> Place {
    Place::new(&key.file, key.span.start..key.span.end.max(value.place.span.end))
}

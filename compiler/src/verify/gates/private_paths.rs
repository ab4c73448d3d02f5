//! No file names a path that only one machine has.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};

use super::super::{Check, Cost, Gate, Scope, Tree};
use crate::diagnostics::{Diagnostic, Diagnostics, Place, Rule};

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "private-paths",
    rule: Rule::error(
        "DSH0616",
        "a file names a path that only this machine has",
        "The folder of this checkout, and what lies beside it, mean nothing to whoever reads the project elsewhere. No file holds the first; \
         documents, scripts and settings do not lead out of the tree. What a document shows of another file is meant from where that file lies.",
    ),
    fix: "say it without the path; a script that looks beside the checkout has an entry in `docs/exemptions.yml`",
    cost: Cost::Reads,
    scope: Scope::Plugins,
    check: Check::Tree(check),
};

/// Files in which a relative path is meant from where they lie; in programs it may be meant from anywhere.
const PLACED: [&str; 4] = [".md", ".sh", ".yml", "/run"];

/// Languages of blocks that show files.
const FILES: [&str; 3] = ["toml", "yaml", "rust"];

fn check(tree: &Tree, found: &mut Diagnostics) {
    let root = tree.root().to_string_lossy().into_owned();
    for (path, file) in tree.files_with("") {
        let text = file.text();
        let mut report = |at: usize, title: &str| {
            found.report(Diagnostic::new(&GATE.rule, title).at(&Place::new(file, at..at + 1), "means nothing elsewhere"));
        };
        text.match_indices(&root).for_each(|(at, _)| report(at, "the folder of this checkout"));
        if PLACED.iter().any(|ending| path.ends_with(ending)) {
            let shown = if path.ends_with(".md") { shown_files(text) } else { Vec::new() };
            let own = leading_out(path, text).filter(|at| !shown.iter().any(|file| file.contains(at)));
            own.for_each(|at| report(at, "a path that leads out of the tree"));
        }
    }
}

/// The blocks of a document that show a part of a file; commands are meant from the document's own tree.
fn shown_files(text: &str) -> Vec<Range<usize>> {
    let mut shown = Vec::new();
    for (event, span) in Parser::new(text).into_offset_iter() {
        if let Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) = event
            && language.split_whitespace().next().is_some_and(|language| FILES.contains(&language))
        {
            shown.push(span);
        }
    }
    shown
}

/// Where relative paths begin that go up further than the file lies deep.
fn leading_out<'a>(path: &str, text: &'a str) -> impl Iterator<Item = usize> + 'a {
    const UP: &str = "../";
    let depth = path.matches('/').count();
    let starts = text.match_indices(UP).map(|(at, _)| at).filter(move |at| !text[..*at].ends_with(['.', '/']));
    starts.filter(move |at| {
        let ups = text[*at..].split(UP).take_while(|between| between.is_empty()).count();
        let named = text[at + ups * UP.len()..].starts_with(|c: char| c.is_alphanumeric());
        ups > depth && named
    })
}

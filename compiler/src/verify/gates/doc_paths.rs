//! Paths that documents and comments name are there.

use std::ops::Range;

use super::super::{Check, Cost, Gate, Scope, Tree};
use crate::diagnostics::{Diagnostic, Diagnostics, Place, Rule};

/// Folders at the root by which a path of the tree is told from other words in backticks.
const ROOTS: [&str; 8] = ["compiler/", "macros/", "runtime/", "plugins/", "profiles/", "generated/", "tests/", "docs/"];

/// What stands for something in a path that is no path yet.
const STANDS_FOR: [char; 9] = ['<', '>', '*', '…', '{', '}', '$', ' ', '='];

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "doc-paths",
    rule: Rule::error(
        "DSH0621",
        "a path that a document or comment names is not there",
        "A path in backticks that starts with a folder of the tree sends the reader there. It must not outlive what it names.",
    ),
    fix: "name the path that is there now; in an example use a placeholder such as `<name>`",
    cost: Cost::Reads,
    scope: Scope::Plugins,
    check: Check::Tree(check),
};

fn check(tree: &Tree, found: &mut Diagnostics) {
    let is_prose =
        |path: &str| path.ends_with(".md") || (path.ends_with(".rs") && !path.contains("/tests/") && !path.starts_with("tests/"));
    for (path, file) in tree.files_with("").filter(|(path, _)| is_prose(path)) {
        for span in quoted(file.text(), path.ends_with(".rs")) {
            let named = file.text()[span.clone()].trim_end_matches('/');
            if is_path(named) && !tree.holds(named) && !tree.holds(&beside(path, named)) {
                let title = format!("there is no `{named}`");
                found.report(Diagnostic::new(&GATE.rule, title).at(&Place::new(file, span), "not there"));
            }
        }
    }
}

fn is_path(named: &str) -> bool {
    let is_placeholder = |part: &str| part.len() > 1 && part.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    ROOTS.iter().any(|root| named.starts_with(root)) && !named.contains(STANDS_FOR) && !named.split(['/', '.']).any(is_placeholder)
}

/// A path that is meant from the folder of the file that names it.
fn beside(file: &str, named: &str) -> String {
    file.rsplit_once('/').map_or(named.to_owned(), |(folder, _)| format!("{folder}/{named}"))
}

/// What stands in backticks: in a Rust file only in comments. Fenced blocks hold programs and are left out.
fn quoted(text: &str, only_comments: bool) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let (mut start, mut is_fenced) = (0, false);
    for line in text.split_inclusive('\n') {
        let said = if only_comments { line.find("//").map(|at| (at, &line[at..])) } else { Some((0, line)) };
        is_fenced ^= line.trim_start().trim_start_matches("/// ").starts_with("```");
        if let Some((from, said)) = said.filter(|_| !is_fenced) {
            let ticks: Vec<usize> = said.match_indices('`').map(|(at, _)| start + from + at).collect();
            spans.extend(ticks.chunks_exact(2).map(|pair| pair[0] + 1..pair[1]));
        }
        start += line.len();
    }
    spans
}

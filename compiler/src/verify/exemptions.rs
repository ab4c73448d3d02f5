//! `docs/exemptions.yml`: what a gate finds and may stay, each with a reason.
//!
//! A list of mappings with the keys `gate`, `at` and `reason`. `at` is a file, a folder and `/`, or `file#text` where the finding
//! underlines `text`.

use std::sync::Arc;

use serde::Serialize;

use super::{Gate, Tree};
use crate::diagnostics::{Diagnostic, Diagnostics, Place, Rule, SourceFile};
use crate::load::{Node, NodeKind, parse};

/// The file.
const FILE: &str = "docs/exemptions.yml";

const KEYS: [&str; 3] = ["gate", "at", "reason"];

/// The rules of this file.
pub(super) const ALL: &[&Rule] = &[&RULE];

static RULE: Rule = Rule::error(
    "DSH0600",
    "an exemption is no exemption",
    "What a gate finds may stay when `docs/exemptions.yml` names the gate, the place and the reason. An entry that names no gate or gives \
     no reason says nothing, and one that exempts nothing any more hides the next finding at its place.",
);

/// An entry.
struct Exemption {
    gate: String,
    at: String,
    reason: String,
    place: Place,
}

/// What a gate found and may stay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Exempted {
    /// The gate.
    pub gate: &'static str,
    /// File and line.
    pub at: String,
    /// What was found.
    pub found: String,
    /// Why it may stay.
    pub reason: String,
}

/// The exemptions of a tree.
pub(super) struct Exemptions {
    all: Vec<Exemption>,
}

impl Exemptions {
    /// Reads the file, when there is one.
    pub(super) fn read(tree: &Tree, known: &[&str], problems: &mut Diagnostics) -> Self {
        let mut all = Vec::new();
        let entries = tree.file(FILE).and_then(|file| list(file, problems)).unwrap_or_default();
        for node in entries {
            match exemption(&node, known) {
                Ok(exemption) => all.push(exemption),
                Err(problem) => problems.report(*problem),
            }
        }
        Self { all }
    }

    /// What is left of a gate's findings, with the entries for it that exempt nothing; and what may stay.
    pub(super) fn apply(&self, gate: &Gate, found: &Diagnostics) -> (Diagnostics, Vec<Exempted>) {
        let mine: Vec<&Exemption> = self.all.iter().filter(|exemption| exemption.gate == gate.name).collect();
        let (mut left, mut exempted) = (Diagnostics::new(), Vec::new());
        let mut used = vec![false; mine.len()];
        for diagnostic in found.iter() {
            let covering = mine.iter().position(|exemption| covers(exemption, diagnostic));
            match covering {
                Some(at) => {
                    used[at] = true;
                    let place = diagnostic.place().map(Place::file_line).unwrap_or_default();
                    let (found, reason) = (diagnostic.title.clone(), mine[at].reason.clone());
                    exempted.push(Exempted { gate: gate.name, at: place, found, reason });
                }
                None => left.report(diagnostic.clone()),
            }
        }
        for (exemption, _) in mine.iter().zip(used).filter(|(_, used)| !used) {
            let problem = Diagnostic::new(&RULE, format!("nothing that `{}` finds is at `{}`", gate.name, exemption.at));
            left.report(problem.at(&exemption.place, "exempts nothing").help("remove the entry"));
        }
        (left, exempted)
    }
}

fn list(file: &Arc<SourceFile>, problems: &mut Diagnostics) -> Option<Vec<Node>> {
    let node = parse(file, problems)?;
    match node.kind {
        NodeKind::List(entries) => Some(entries),
        _ => {
            problems.report(Diagnostic::new(&RULE, "the exemptions are no list").at(&node.place, "expected a list"));
            None
        }
    }
}

fn exemption(node: &Node, known: &[&str]) -> Result<Exemption, Box<Diagnostic>> {
    let problem = |title: String, place: &Place, label: &str| Err(Box::new(Diagnostic::new(&RULE, title).at(place, label)));
    let NodeKind::Map(entries) = &node.kind else {
        return problem("an exemption is no mapping".to_owned(), &node.place, "expected `gate`, `at` and `reason`");
    };
    if let Some((key, _)) = entries.iter().find(|(key, _)| !KEYS.contains(&key.text.as_str())) {
        return problem(format!("unknown key `{}`", key.text), &key.place, "expected `gate`, `at` or `reason`");
    }
    let [Some(gate), Some(at), Some(reason)] = KEYS.map(|key| node.get(key).and_then(words)) else {
        return problem("an exemption lacks a key".to_owned(), &node.place, "`gate`, `at` and `reason` say something each");
    };
    if !known.contains(&gate) {
        return problem(format!("no gate is called `{gate}`"), &node.place, "`dsh-build verify --list` names them");
    }
    Ok(Exemption { gate: gate.to_owned(), at: at.to_owned(), reason: reason.to_owned(), place: node.place.clone() })
}

fn words(node: &Node) -> Option<&str> {
    match &node.kind {
        NodeKind::Plain(text) | NodeKind::Quoted(text) => Some(text.as_str()).filter(|text| !text.trim().is_empty()),
        _ => None,
    }
}

fn covers(exemption: &Exemption, diagnostic: &Diagnostic) -> bool {
    let Some(place) = diagnostic.place() else { return false };
    match exemption.at.split_once('#') {
        Some((file, text)) => place.file.name() == file && &place.file.text()[place.span.clone()] == text,
        None if exemption.at.ends_with('/') => place.file.name().starts_with(&exemption.at),
        None => place.file.name() == exemption.at,
    }
}

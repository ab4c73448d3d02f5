//! Items of Rust that documents name are there.

use std::collections::BTreeSet;

use pulldown_cmark::{Event, Parser};

use super::super::{Check, Cost, Gate, Scope, Tree};
use super::rust_words::collect;
use crate::diagnostics::{Diagnostic, Diagnostics, Place, Rule};

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "doc-items",
    rule: Rule::error(
        "DSH0632",
        "a document names an item that no source has",
        "A path of Rust in backticks, such as `EffectStack::push`, sends the reader to an item. Each of its words stands somewhere in the sources, or \
         the item was renamed and the document was not. Paths in the docs of Rust files are links, which rustdoc follows.",
    ),
    fix: "name the item as the sources call it now",
    cost: Cost::Reads,
    scope: Scope::Workspace,
    check: Check::Tree(check),
};

fn check(tree: &Tree, found: &mut Diagnostics) {
    let mut known = BTreeSet::new();
    for tokens in tree.files_with(".rs").filter_map(|(_, file)| file.text().parse().ok()) {
        collect(tokens, &mut known);
    }
    for (_, page) in tree.files_with(".md") {
        for (event, span) in Parser::new(page.text()).into_offset_iter() {
            let Event::Code(code) = event else { continue };
            let words: Vec<&str> = path(&code).collect();
            if words.len() > 1 && words.iter().all(|word| is_name(word)) && !words.iter().all(|word| known.contains(*word)) {
                let title = format!("no source has `{code}`");
                found.report(Diagnostic::new(&GATE.rule, title).at(&Place::new(page, span), "named here"));
            }
        }
    }
}

/// The words of a path, without what it is called with.
fn path(code: &str) -> impl Iterator<Item = &str> {
    let end = code.find(['(', '<', '!']).unwrap_or(code.len());
    code[..end].split("::")
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

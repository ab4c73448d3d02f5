//! Types that documents show are those of the source.

use std::ops::Range;

use super::super::{Check, Cost, Gate, Scope, Tree};
use crate::diagnostics::{Diagnostic, Diagnostics, Place, Rule};

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "doc-types",
    rule: Rule::error(
        "DSH0623",
        "a type in a document is not the one of the source",
        "A fenced block that starts with `source=FILE#ITEM` after its language shows that item, its docs included, as the file has it.",
    ),
    fix: "copy the item from the source into the block",
    cost: Cost::Reads,
    scope: Scope::Plugins,
    check: Check::Tree(check),
};

fn check(tree: &Tree, found: &mut Diagnostics) {
    for (_, page) in tree.files_with(".md") {
        for block in blocks(page.text()) {
            let named = &page.text()[block.named.clone()];
            let place = Place::new(page, block.named.clone());
            let fault = match source(tree, named) {
                Some(item) if item.trim() == page.text()[block.shown].trim() => continue,
                Some(_) => format!("the block differs from `{named}`"),
                None => format!("there is no `{named}`"),
            };
            found.report(Diagnostic::new(&GATE.rule, fault).at(&place, "named here"));
        }
    }
}

/// A fenced block that shows an item.
struct Block {
    named: Range<usize>,
    shown: Range<usize>,
}

fn blocks(text: &str) -> Vec<Block> {
    const MARK: &str = "source=";
    let mut blocks = Vec::new();
    let mut open: Option<(Range<usize>, usize)> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        if line.starts_with("```") {
            open = match open.take() {
                Some((named, from)) => {
                    blocks.push(Block { named, shown: from..start });
                    None
                }
                None => line.find(MARK).map(|at| (start + at + MARK.len()..start + line.trim_end().len(), end)),
            };
        }
        start = end;
    }
    blocks
}

/// The text of an item, from its docs to its end.
fn source(tree: &Tree, named: &str) -> Option<String> {
    let (path, item) = named.split_once('#')?;
    let file = tree.file(path)?;
    let syntax = syn::parse_file(file.text()).ok()?;
    let span = syntax.items.iter().find(|found| name(found).is_some_and(|name| name == item)).map(syn::spanned::Spanned::span)?;
    Some(file.text()[span.byte_range()].to_owned())
}

fn name(item: &syn::Item) -> Option<&syn::Ident> {
    match item {
        syn::Item::Struct(item) => Some(&item.ident),
        syn::Item::Enum(item) => Some(&item.ident),
        syn::Item::Trait(item) => Some(&item.ident),
        syn::Item::Type(item) => Some(&item.ident),
        syn::Item::Fn(item) => Some(&item.sig.ident),
        syn::Item::Const(item) => Some(&item.ident),
        _ => None,
    }
}

//! Links in documents lead somewhere.

use std::collections::BTreeSet;
use std::sync::Arc;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::super::{Check, Cost, Gate, Scope, Tree};
use super::leads_to::leads_to;
use crate::diagnostics::{Diagnostic, Diagnostics, Place, Rule, SourceFile};

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "doc-links",
    rule: Rule::error(
        "DSH0602",
        "a link in a document leads nowhere",
        "A reader who follows a link to a file or a heading of this tree must find it. Links to other sites are not followed.",
    ),
    fix: "name the file or heading that is meant; a heading's anchor is its text in lower case with `-` for spaces",
    cost: Cost::Reads,
    scope: Scope::Plugins,
    check: Check::Tree(check),
};

fn check(tree: &Tree, found: &mut Diagnostics) {
    for (path, file) in tree.files_with(".md") {
        for (event, span) in Parser::new(file.text()).into_offset_iter() {
            let (Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }), place) = (event, Place::new(file, span)) else {
                continue;
            };
            if let Some(fault) = fault(tree, path, &dest_url) {
                found.report(Diagnostic::new(&GATE.rule, fault).at(&place, "leads nowhere"));
            }
        }
    }
}

fn fault(tree: &Tree, from: &str, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
    let target = if path.is_empty() { Some(from.to_owned()) } else { leads_to(from, path) };
    let Some(target) = target else { return Some(format!("`{link}` leads out of the tree")) };
    if !tree.holds(&target) {
        return Some(format!("there is no `{target}`"));
    }
    let anchor = anchor?;
    let file = tree.file(&target).filter(|_| target.ends_with(".md"))?;
    (!anchors(file).contains(anchor)).then(|| format!("`{target}` has no heading `#{anchor}`"))
}

/// The anchors of a document's headings, as the usual renderers make them.
fn anchors(file: &Arc<SourceFile>) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut heading: Option<String> = None;
    for event in Parser::new(file.text()) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => anchors.extend(heading.take().map(|text| slug(&text))),
            Event::Text(text) | Event::Code(text) => heading.iter_mut().for_each(|heading| heading.push_str(&text)),
            _ => {}
        }
    }
    anchors
}

fn slug(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

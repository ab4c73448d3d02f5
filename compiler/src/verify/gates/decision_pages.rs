//! Decisions are recorded in one form, and replaced rather than rewritten.

use std::sync::Arc;

use dsh_declare::digest::fnv1a;

use super::super::{Check, Cost, Gate, Scope, Tree};
use crate::diagnostics::{Diagnostic, Diagnostics, Place, Rule, SourceFile};

const FOLDER: &str = "docs/decisions/";
const SECTIONS: [&str; 3] = ["## Why", "## What", "## Given up"];

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "decision-pages",
    rule: Rule::error(
        "DSH0603",
        "a decision page has another form than the rest",
        "A page of `docs/decisions/`, `NNNN-name.md`, holds one decision: numbers without gaps, the title as a statement, a status, why, what, and what was \
         given up. A page that was replaced names the one that replaced it, which is there, and is frozen: it has the digest of all its other lines.",
    ),
    fix: "`docs/decisions/README.md` shows the form",
    cost: Cost::Reads,
    scope: Scope::Workspace,
    check: Check::Tree(check),
};

fn check(tree: &Tree, found: &mut Diagnostics) {
    let pages: Vec<_> = tree.files_with(".md").filter(|(path, _)| path.starts_with(FOLDER) && !path.ends_with("/README.md")).collect();
    let numbers: Vec<&str> = pages.iter().map(|(path, _)| number(path)).collect();
    for (at, (path, page)) in pages.iter().enumerate() {
        let expected = format!("{:04}", at + 1);
        if number(path) != expected {
            found.report(wrong(page, format!("the page after `{:04}` is not `{expected}`", at)));
        }
        faults(number(path), page, &numbers).into_iter().for_each(|fault| found.report(wrong(page, fault)));
    }
}

fn number(path: &str) -> &str {
    path[FOLDER.len()..].split('-').next().unwrap_or_default()
}

fn wrong(page: &Arc<SourceFile>, title: String) -> Diagnostic {
    Diagnostic::new(&GATE.rule, title).at(&Place::start_of(page), "in this page")
}

fn faults(number: &str, page: &Arc<SourceFile>, numbers: &[&str]) -> Vec<String> {
    let mut faults = Vec::new();
    if !page.text().starts_with(&format!("# {number}: ")) {
        faults.push(format!("the first line is not `# {number}: what was decided`"));
    }
    match page.text().lines().find_map(|line| line.strip_prefix("Status: ")) {
        Some("accepted") => {}
        Some(status) => faults.extend(fault_of_replaced(status, page.text(), numbers)),
        None => faults.push("a line `Status: …` is missing".to_owned()),
    }
    let missing = SECTIONS.iter().filter(|section| !page.text().lines().any(|line| line == **section));
    faults.extend(missing.map(|section| format!("the section `{section}` is missing")));
    faults
}

/// What is wrong with a page whose status is not `accepted`.
fn fault_of_replaced(status: &str, text: &str, numbers: &[&str]) -> Option<String> {
    let words = status.strip_prefix("replaced by ");
    let Some((by, frozen)) =
        words.and_then(|words| words.split_once(", frozen as ").or(Some((words, "")))).filter(|(by, _)| numbers.contains(by))
    else {
        return Some(format!("the status `{status}` is neither `accepted` nor `replaced by` a page that is there"));
    };
    let rest: Vec<&str> = text.lines().filter(|line| !line.starts_with("Status: ")).collect();
    let digest = format!("{:016x}", fnv1a(rest.join("\n").as_bytes()));
    (frozen != digest)
        .then(|| format!("the page was replaced and is not frozen: `Status: replaced by {by}, frozen as {digest}` seals it as it is now"))
}

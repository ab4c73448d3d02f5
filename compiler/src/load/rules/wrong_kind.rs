//! A value of another kind than its key asks for.

use crate::diagnostics::{Diagnostic, Rule};
use crate::load::node::{Node, NodeKind};

/// `DSH0102`
pub static RULE: Rule = Rule::error(
    "DSH0102",
    "a value of a profile or a patch list has the wrong kind",
    "The keys of profiles, entries and rows each take one kind of value: a name, a list, a mapping, `true` or `false`. A value in quotes \
     is always a string.",
);

/// `what` names the value (`` `bundles` ``), `expected` says what it must be (`a list of names`).
pub fn wrong_kind(node: &Node, what: &str, expected: &str) -> Diagnostic {
    let found = Diagnostic::new(&RULE, format!("{what} must be {expected}")).at(&node.place, format!("found {}", node.describe()));
    match &node.kind {
        NodeKind::Quoted(text) if matches!(text.as_str(), "true" | "false") || text.parse::<u32>().is_ok() => {
            found.help("remove the quotes: a value in quotes is a string")
        }
        _ => found,
    }
}

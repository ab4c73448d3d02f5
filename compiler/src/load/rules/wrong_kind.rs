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
    Diagnostic::new(&RULE, format!("{what} must be {expected}"))
        .at(&node.place, format!("found {}", node.describe()))
        .help_if(proposal(node, expected))
}

/// What was probably meant.
fn proposal(node: &Node, expected: &str) -> Option<String> {
    let is_list = expected.starts_with("a list");
    let is_switch = expected.starts_with("`true`");
    match &node.kind {
        NodeKind::Quoted(text) if is_switch && matches!(text.as_str(), "true" | "false") => {
            Some("remove the quotes: a value in quotes is a string".to_owned())
        }
        NodeKind::Plain(text) if is_switch => match text.to_ascii_lowercase().as_str() {
            "yes" | "on" | "true" | "1" => Some("write `true`".to_owned()),
            "no" | "off" | "false" | "0" | "null" | "~" => Some("write `false`".to_owned()),
            _ => None,
        },
        NodeKind::Plain(text) if is_list && text.is_empty() => Some("an empty list is written `[]`".to_owned()),
        NodeKind::Plain(text) if is_list => Some(format!("write a list of one: `[{text}]`")),
        NodeKind::Map(_) if is_list => Some("a list has `- ` before each of its elements".to_owned()),
        _ => None,
    }
}

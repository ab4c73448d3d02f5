//! A key that must be there.

use crate::diagnostics::{Diagnostic, Rule};
use crate::load::node::Node;

/// `DSH0103`
pub static RULE: Rule = Rule::error("DSH0103", "a required key is missing", include_str!("missing_key.md"));

/// `owner` names what lacks the key (`a row`), `example` is the line to write.
pub fn missing_key(node: &Node, owner: &str, key: &str, example: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("{owner} needs the key `{key}`"))
        .at(&node.place, format!("no `{key}` here"))
        .help(format!("add `{example}`"))
}

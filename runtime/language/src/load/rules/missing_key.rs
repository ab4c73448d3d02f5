//! A key that must be there.

use crate::diagnostics::{Diagnostic, Rule};
use crate::load::node::Node;

/// `DSH0103`
pub static RULE: Rule = Rule::error(
    "DSH0103",
    "a required key is missing",
    "A profile states `dsh` (the language version) and `profile` (its name); a row states `id` and, unless it is a group, `plugin`.",
);

/// `owner` names what lacks the key (`a row`), `example` is the line to write.
pub fn missing_key(node: &Node, owner: &str, key: &str, example: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("{owner} needs the key `{key}`"))
        .at(&node.place, format!("no `{key}` here"))
        .help(format!("add `{example}`"))
}

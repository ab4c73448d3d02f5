//! A config for a plugin that takes none.

use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::load::{Node, NodeKind};

/// `DSH0202`
pub static RULE: Rule = Rule::error("DSH0202", "a row gives config to a plugin that takes none", include_str!("config_of_none.md"));

/// `key` is the key `config`.
pub fn config_of_none(key: &Place, plugin: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("plugin `{}` takes no config", plugin)).at(key, "would have no effect").help("remove `config`")
}

/// Whether a config says nothing, or nothing that could be read.
pub fn is_empty_config(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Map(entries) => entries.is_empty(),
        _ => true,
    }
}

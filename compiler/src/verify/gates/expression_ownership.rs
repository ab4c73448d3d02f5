//! Shipped compositions take no credential and no endpoint from an expression.

use std::sync::Arc;

use super::super::{Check, Cost, Gate, Scope, Tree};
use crate::diagnostics::{Diagnostic, Diagnostics, Rule, SourceFile};
use crate::load::{Node, NodeKind, parse};

/// Keys, in lower case without separators, whose value says where requests go or with which right.
const OWNED: [&str; 9] = ["apikey", "apikeyenv", "authtoken", "baseurl", "credential", "endpoint", "headers", "password", "url"];

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "expression-ownership",
    rule: Rule::error(
        "DSH0624",
        "a credential or an endpoint of a shipped composition comes from an expression",
        "Where requests go, and with which right, is decided by the plugin that sends them and by whoever runs it, in one place that is documented. \
         An expression in a composition would be a second one.",
    ),
    fix: "name a variable where the field takes one, or leave the field to its default",
    cost: Cost::Reads,
    scope: Scope::Plugins,
    check: Check::Tree(check),
};

fn check(tree: &Tree, found: &mut Diagnostics) {
    for (_, file) in tree.files_with(".yml").filter(|(path, _)| path.starts_with("profiles/")) {
        judge_file(file, found);
    }
}

fn judge_file(file: &Arc<SourceFile>, found: &mut Diagnostics) {
    // What is wrong with the file itself is told by `check`.
    if let Some(node) = parse(file, &mut Diagnostics::new()) {
        judge(&node, found);
    }
}

fn judge(node: &Node, found: &mut Diagnostics) {
    match &node.kind {
        NodeKind::List(items) => items.iter().for_each(|item| judge(item, found)),
        NodeKind::Map(entries) => {
            for (key, value) in entries {
                let name = key.text.replace(['-', '_'], "").to_lowercase();
                if OWNED.contains(&name.as_str()) && holds_expression(value) {
                    let title = format!("`{}` comes from an expression", key.text);
                    found.report(Diagnostic::new(&GATE.rule, title).at(&value.place, "not from here"));
                }
                judge(value, found);
            }
        }
        _ => {}
    }
}

fn holds_expression(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Expression(_) => true,
        NodeKind::List(items) => items.iter().any(holds_expression),
        NodeKind::Map(entries) => entries.iter().any(|(_, value)| holds_expression(value)),
        _ => false,
    }
}

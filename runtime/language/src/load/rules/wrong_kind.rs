//! A value of another kind than its key asks for.

use crate::diagnostics::{Diagnostic, Rule};
use crate::load::node::{Node, NodeKind};

/// `DSH0102`
pub static RULE: Rule = Rule::error("DSH0102", "a value of a profile or a patch list has the wrong kind", include_str!("wrong_kind.md"));

/// `what` names the value (`` `bundles` ``), `expected` says what it must be (`a list of names`).
pub fn wrong_kind(node: &Node, what: &str, expected: &str) -> Diagnostic {
    let proposal = if expected.starts_with("a list") {
        for_list(node, expected)
    } else if expected.starts_with("a mapping") {
        for_mapping(node, what)
    } else if expected.starts_with("`true`") {
        for_switch(node)
    } else if matches!(node.kind, NodeKind::List(_)) && what == "a row's id" {
        Some("an entry changes one row: write an entry for each".to_owned())
    } else {
        None
    };
    Diagnostic::new(&RULE, format!("{what} must be {expected}")).at(&node.place, format!("found {}", node.describe())).help_if(proposal)
}

fn for_list(node: &Node, expected: &str) -> Option<String> {
    let holds_names = matches!(expected, "a list of names" | "a list of service keys");
    match &node.kind {
        _ if node.is_null() => Some("write an empty list, `[]`, or remove the key".to_owned()),
        NodeKind::Plain(text) if holds_names && is_word(text) => Some(format!("write a list of one: `[{text}]`")),
        NodeKind::Map(_) if node.get("dsh").is_some() => Some("a profile is given with `--profile`".to_owned()),
        NodeKind::Map(_) if node.get("patch").is_some() => Some("write the list alone, without `patch:` around it".to_owned()),
        NodeKind::Map(_) => Some("a list has `- ` before each of its elements".to_owned()),
        NodeKind::Plain(text) if expected == "a list of entries" && text.ends_with(".yml") => {
            Some(format!("write the list here; a file is given with `--patch {text}`, or is a bundle under `bundles`"))
        }
        _ => None,
    }
}

/// Whether it may name something, and is no switch.
fn is_word(text: &str) -> bool {
    let is_word = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    is_word && text.starts_with(|first: char| first.is_ascii_alphabetic()) && !matches!(text, "true" | "false")
}

fn for_mapping(node: &Node, what: &str) -> Option<String> {
    let is_entry = |item: &Node| item.get("insert").is_some() || item.get("id").is_some();
    match &node.kind {
        NodeKind::Plain(text) if text.is_empty() => {
            Some("indent what belongs to it deeper than the key; an empty mapping is written `{}`".to_owned())
        }
        _ if node.is_null() => Some("write an empty mapping, `{}`, or remove the key".to_owned()),
        NodeKind::Plain(text) | NodeKind::Quoted(text) if what == "a crate" => match text.starts_with(['.', '/']) {
            true => Some(format!("write `{{path: {text}}}`")),
            false if text.starts_with(|first: char| first.is_ascii_digit()) => Some(format!("write `{{version: \"{text}\"}}`")),
            false => Some("write `{path: …}`, `{git: …, rev: …}` or `{version: …}`".to_owned()),
        },
        NodeKind::List(_) if what == "`crates`" => Some("write each as `NAME: {path: …}`, without `- `".to_owned()),
        NodeKind::List(_) if what == "`presets`" => Some("write each as `NAME: {patch: […]}`, without `- `".to_owned()),
        NodeKind::List(items) if items.iter().any(is_entry) => {
            Some("a patch list stands under `patch:` of a profile, or is given with `--patch`".to_owned())
        }
        NodeKind::List(items) if items.iter().any(|item| matches!(item.kind, NodeKind::Map(_))) => {
            Some("a mapping has no `- ` before its keys".to_owned())
        }
        NodeKind::Plain(name) if is_word(name) => match what {
            "a row" => Some(format!("write `{{id: {name}, plugin: {name}}}` for a row with this plugin")),
            "an entry" if !matches!(name.as_str(), "insert" | "id") => {
                Some(format!("to add a row with this plugin, write `insert: [{{id: {name}, plugin: {name}}}]`"))
            }
            _ => None,
        },
        _ => None,
    }
}

/// For a value in quotes that was meant to be an expression.
pub fn unquoted_tag(text: &str) -> Option<String> {
    text.strip_prefix("!expr ").map(|expression| format!("write the tag before the quotes: `!expr \"{expression}\"`"))
}

fn for_switch(node: &Node) -> Option<String> {
    match &node.kind {
        NodeKind::Quoted(text) if matches!(text.as_str(), "true" | "false") => {
            Some("remove the quotes: a value in quotes is a string".to_owned())
        }
        NodeKind::Quoted(text) => unquoted_tag(text),
        NodeKind::Plain(text) => match text.to_ascii_lowercase().as_str() {
            "yes" | "on" | "true" | "1" => Some("write `true`".to_owned()),
            "no" | "off" | "false" | "0" | "null" | "~" => Some("write `false`".to_owned()),
            _ => None,
        },
        _ => None,
    }
}

//! Reads YAML nodes as the kinds of value that profiles and patch lists are made of.

use super::node::{Key, Node, NodeKind};
use super::rules;
use crate::diagnostics::{Diagnostics, Place};

/// A string with its place.
#[derive(Clone, Debug)]
pub struct Named {
    /// The string.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

/// Whether a name is a lower-case letter, then lower-case letters, digits and hyphens.
#[must_use]
pub fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// The state of reading one file: where problems go, and whether anything had to be left out because of one. What depends on
/// something being absent must not be judged when it may be among what was left out.
pub struct Reading<'a> {
    /// Where problems go.
    pub problems: &'a mut Diagnostics,
    /// Whether nothing was left out.
    pub complete: bool,
}

impl<'a> Reading<'a> {
    /// Nothing left out yet.
    pub fn new(problems: &'a mut Diagnostics) -> Self {
        Self { problems, complete: true }
    }

    /// Reports a value of another kind; an expression where none may stand is reported as such.
    pub fn wrong_kind(&mut self, node: &Node, what: &str, expected: &str) {
        match &node.kind {
            NodeKind::Refused => {}
            NodeKind::Expression(_) => self.problems.report(rules::misplaced_expression(&node.place, what)),
            _ => self.problems.report(rules::wrong_kind(node, what, expected)),
        }
    }

    /// A string of at least one character. `what` names the value in messages: `` `path` ``.
    pub fn text(&mut self, node: &Node, what: &str) -> Option<Named> {
        let expected = match &node.kind {
            NodeKind::Plain(text) | NodeKind::Quoted(text) if !text.is_empty() => {
                return Some(Named { text: text.clone(), place: node.place.clone() });
            }
            NodeKind::Quoted(_) => "a string that is not empty",
            _ => "a string",
        };
        self.wrong_kind(node, what, expected);
        None
    }

    /// A name. `kind` says what it names: `a row's id`.
    pub fn name(&mut self, node: &Node, kind: &str) -> Option<Named> {
        let name = self.text(node, kind)?;
        if is_name(&name.text) {
            return Some(name);
        }
        self.problems.report(rules::bad_name(&name.text, &name.place, kind));
        None
    }

    /// `true` or `false`.
    pub fn boolean(&mut self, node: &Node, what: &str) -> Option<bool> {
        match &node.kind {
            NodeKind::Plain(text) if text == "true" => Some(true),
            NodeKind::Plain(text) if text == "false" => Some(false),
            _ => {
                self.wrong_kind(node, what, "`true` or `false`");
                None
            }
        }
    }

    /// A list; `of` says of what.
    pub fn list<'n>(&mut self, node: &'n Node, what: &str, of: &str) -> Option<&'n [Node]> {
        match &node.kind {
            NodeKind::List(items) => Some(items),
            _ => {
                self.wrong_kind(node, what, &format!("a list of {of}"));
                None
            }
        }
    }

    /// A list of different names; `kind` says what one names: `bundle`.
    pub fn names(&mut self, node: &Node, what: &str, kind: &str) -> Vec<Named> {
        let mut names: Vec<Named> = Vec::new();
        for item in self.list(node, what, "names").unwrap_or_default() {
            let Some(name) = self.name(item, &format!("the name of {kind}")) else { continue };
            match names.iter().find(|known| known.text == name.text) {
                Some(first) => self.problems.report(rules::repeated_name(what, &name, first)),
                None => names.push(name),
            }
        }
        names
    }

    /// The entries of a mapping with free keys.
    pub fn entries<'n>(&mut self, node: &'n Node, what: &str, of: &str) -> &'n [(Key, Node)] {
        match &node.kind {
            NodeKind::Map(entries) => entries,
            _ => {
                self.wrong_kind(node, what, &format!("a mapping of {of}"));
                &[]
            }
        }
    }

    /// A mapping with a set of known keys; every other key is reported. `owner` names it: `a row`.
    pub fn fields<'n>(&mut self, node: &'n Node, owner: &str, known: &[&str]) -> Option<Fields<'n>> {
        let NodeKind::Map(entries) = &node.kind else {
            self.wrong_kind(node, owner, "a mapping");
            return None;
        };
        let mut unknown = Vec::new();
        for (key, _) in entries.iter().filter(|(key, _)| !known.contains(&key.text.as_str())) {
            self.problems.report(rules::unknown_key(key, owner, known));
            unknown.push(rules::meant_key(&key.text, known));
        }
        Some(Fields { entries, unknown })
    }
}

/// A mapping whose keys were looked at.
pub struct Fields<'n> {
    entries: &'n [(Key, Node)],
    /// For each key that is not known, the one that it was probably meant to be.
    unknown: Vec<Option<String>>,
}

impl<'n> Fields<'n> {
    /// Whether every key is known; when not, a missing one may be among the others.
    #[must_use]
    pub fn all_known(&self) -> bool {
        self.unknown.is_empty()
    }

    /// Whether a key is missing, and is not one that was misspelt.
    #[must_use]
    pub fn lacks(&self, name: &str) -> bool {
        self.get(name).is_none() && !self.unknown.iter().flatten().any(|meant| meant == name)
    }

    /// A key with its value.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<(&'n Key, &'n Node)> {
        self.entries.iter().find(|(key, _)| key.text == name).map(|(key, value)| (key, value))
    }

    /// The value of a key.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&'n Node> {
        self.get(name).map(|(_, value)| value)
    }
}

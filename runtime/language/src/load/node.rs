//! YAML with a place for every node and key.

use crate::diagnostics::Place;

/// A YAML value.
#[derive(Clone, Debug)]
pub struct Node {
    /// All of it, tag included.
    pub place: Place,
    /// What it is.
    pub kind: NodeKind,
}

/// What a YAML value is. The declared type decides what a plain scalar means, so its text is kept as it was written.
#[derive(Clone, Debug)]
pub enum NodeKind {
    /// A scalar without quotes; empty when nothing was written.
    Plain(String),
    /// A quoted or block scalar: a string whatever it holds.
    Quoted(String),
    /// A scalar tagged `!expr`.
    Expression(String),
    /// A list.
    List(Vec<Node>),
    /// A mapping, without repeated keys.
    Map(Vec<(Key, Node)>),
    /// Something that the language does not have; a diagnostic says so already.
    Refused,
}

/// A key of a mapping.
#[derive(Clone, Debug)]
pub struct Key {
    /// Its text.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

impl Node {
    /// What it is, for messages: `a list`, `` `yes` ``.
    #[must_use]
    pub fn describe(&self) -> String {
        match &self.kind {
            NodeKind::Plain(text) if text.is_empty() => "nothing".to_owned(),
            NodeKind::Plain(text) => format!("`{}`", shorten(text)),
            NodeKind::Quoted(text) if text.is_empty() => "an empty string".to_owned(),
            NodeKind::Quoted(text) => format!("the string `{}`", shorten(text)),
            NodeKind::Expression(_) => "an expression".to_owned(),
            NodeKind::List(_) => "a list".to_owned(),
            NodeKind::Map(_) => "a mapping".to_owned(),
            NodeKind::Refused => "an unreadable value".to_owned(),
        }
    }

    /// Whether it is a plain `null`, `~` or nothing at all.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(&self.kind, NodeKind::Plain(text) if matches!(text.as_str(), "" | "~" | "null"))
    }

    /// The value under a key of a mapping.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Node> {
        let NodeKind::Map(entries) = &self.kind else { return None };
        entries.iter().find(|(name, _)| name.text == key).map(|(_, value)| value)
    }

    /// The part of a scalar's place that holds bytes `start..end` of its text. Where quotes, escapes or folding make text and source
    /// differ, it is looked for by what it says; the whole place when that stands there more than once.
    #[must_use]
    pub fn part(&self, text: &str, start: usize, end: usize) -> Place {
        let source = &self.place.file.text()[self.place.span.clone()];
        let Some(part) = text.get(start..end).filter(|part| !part.is_empty()) else { return self.place.clone() };
        let mut alike = source.match_indices(part).map(|(at, _)| at);
        let at = match (source.rfind(text), alike.next(), alike.next()) {
            (Some(at), ..) => at + start,
            (None, Some(only), None) => only,
            _ => return self.place.clone(),
        };
        let start = self.place.span.start + at;
        Place::new(&self.place.file, start..start + part.len())
    }
}

/// Long values would bury a message.
fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    let line = text.lines().next().unwrap_or_default();
    let cut: String = line.chars().take(LONGEST).collect();
    if cut.len() < text.trim_end().len() { format!("{cut}…") } else { cut }
}

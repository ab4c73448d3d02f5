//! Writes nodes as YAML that reads back as the same nodes, apart from quotes around what is a string either way.

use crate::load::{Key, Node, NodeKind};

/// A scalar or an empty collection on one line; what holds values is named by its kind.
#[must_use]
pub fn inline(node: &Node) -> String {
    match &node.kind {
        NodeKind::Plain(text) => plain(text),
        NodeKind::Quoted(text) => quoted(text),
        NodeKind::Expression(text) => expression(text),
        NodeKind::List(items) if items.is_empty() => "[]".to_owned(),
        NodeKind::Map(entries) if entries.is_empty() => "{}".to_owned(),
        // A composition with an unreadable value is refused before anything is asked of it.
        NodeKind::List(_) | NodeKind::Map(_) | NodeKind::Refused => node.describe(),
    }
}

/// An expression on one line.
#[must_use]
pub fn expression(text: &str) -> String {
    format!("!expr {}", quoted(text))
}

/// Appends a value after `key:`; what it holds is indented by `indent` spaces.
pub fn append_value(out: &mut String, node: &Node, indent: usize) {
    match &node.kind {
        NodeKind::Map(entries) if !entries.is_empty() => {
            out.push('\n');
            for entry in entries {
                append_entry(out, entry, indent, indent);
            }
        }
        NodeKind::List(items) if !items.is_empty() => {
            out.push('\n');
            for item in items {
                pad(out, indent);
                out.push('-');
                append_item(out, item, indent + 2);
            }
        }
        NodeKind::Quoted(text) => append_text(out, "", text, indent),
        NodeKind::Expression(text) => append_text(out, "!expr ", text, indent),
        _ => append_line(out, &inline(node)),
    }
}

/// Appends an element after `-`: the first entry of a mapping stands on the same line.
fn append_item(out: &mut String, node: &Node, indent: usize) {
    match &node.kind {
        NodeKind::Map(entries) if !entries.is_empty() => {
            for (at, entry) in entries.iter().enumerate() {
                append_entry(out, entry, if at == 0 { 1 } else { indent }, indent);
            }
        }
        _ => append_value(out, node, indent),
    }
}

fn append_entry(out: &mut String, (key, value): &(Key, Node), spaces: usize, indent: usize) {
    pad(out, spaces);
    out.push_str(&key_text(&key.text));
    out.push(':');
    append_value(out, value, indent + 2);
}

/// The key of a mapping.
#[must_use]
pub fn key_text(key: &str) -> String {
    if key.is_empty() || key == "<<" { quoted(key) } else { plain(key) }
}

/// Text of several lines stays readable as a block, where a block can hold it.
fn append_text(out: &mut String, tag: &str, text: &str, indent: usize) {
    if !is_block(text) {
        return append_line(out, &format!("{tag}{}", quoted(text)));
    }
    append_line(out, &format!("{tag}|{}", if text.ends_with('\n') { "" } else { "-" }));
    for line in text.lines() {
        if !line.is_empty() {
            pad(out, indent);
        }
        out.push_str(line);
        out.push('\n');
    }
}

fn append_line(out: &mut String, text: &str) {
    out.push(' ');
    out.push_str(text);
    out.push('\n');
}

fn pad(out: &mut String, spaces: usize) {
    out.extend(std::iter::repeat_n(' ', spaces));
}

/// Whether a literal block with no indentation of its own, and at most one line break at its end, gives the text back.
fn is_block(text: &str) -> bool {
    let body = text.strip_suffix('\n').unwrap_or(text);
    body.contains('\n')
        && !body.ends_with('\n')
        && !body.starts_with([' ', '\n'])
        && body.split('\n').all(|line| line.is_empty() || !line.trim().is_empty())
        && text.chars().all(|letter| letter == '\n' || !is_escaped(letter))
}

/// What was written without quotes: numbers and words keep their meaning only so; a text that could be read as something else gets
/// quotes, since none of those can be more than a string.
pub(super) fn plain(text: &str) -> String {
    let mut letters = text.chars();
    let starts = match letters.next() {
        None => return "null".to_owned(),
        Some('+' | '-') => letters.next().is_some_and(|letter| letter.is_alphanumeric() || letter == '.'),
        Some(first) => first.is_alphanumeric() || matches!(first, '/' | '.' | '_' | '~'),
    };
    let ends = !text.ends_with([':', ' ']);
    let is_plain = starts && ends && !text.contains(": ") && !text.contains(" #") && !text.chars().any(is_escaped);
    if is_plain { text.to_owned() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    let is_printable = !text.chars().any(is_escaped);
    if is_printable && !text.contains(['"', '\\']) {
        return format!("\"{text}\"");
    }
    if is_printable {
        return format!("'{}'", text.replace('\'', "''"));
    }
    let mut out = "\"".to_owned();
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            letter if is_escaped(letter) => out.push_str(&format!("\\u{:04x}", u32::from(letter))),
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// Control characters, other line breaks and the byte order mark: all of them have four hex digits.
fn is_escaped(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::diagnostics::{Diagnostics, Place, SourceFile};
    use crate::load::parse;

    fn at() -> Place {
        Place::new(&SourceFile::new("a.yml", ""), 0..0)
    }

    fn node(kind: NodeKind) -> Node {
        Node { place: at(), kind }
    }

    /// What a node means: quotes around what is a string either way do not count.
    fn meaning(node: &Node) -> String {
        match &node.kind {
            NodeKind::Plain(_) if node.is_null() => "null".to_owned(),
            NodeKind::Plain(text) if text.parse::<f64>().is_ok() || matches!(text.as_str(), "true" | "false") => format!("word {text}"),
            NodeKind::Plain(text) | NodeKind::Quoted(text) => format!("{text:?}"),
            NodeKind::Expression(text) => format!("expression {text:?}"),
            NodeKind::List(items) => format!("[{}]", items.iter().map(meaning).collect::<Vec<_>>().join(", ")),
            NodeKind::Map(entries) => {
                let entry = |(key, value): &(Key, Node)| format!("{:?}: {}", key.text, meaning(value));
                format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
            }
            NodeKind::Refused => "refused".to_owned(),
        }
    }

    fn text() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "a", "1", "-", " ", "\n", "\n\n", ": ", ":", " #", "#", "'", "\"", "\\", "\t", "[", "}", ",", "!", "&", "*", "|", ">", "%",
            "@", "`", "?", "~", "true", "null", "é", "\u{85}", "\u{2028}", "\u{feff}", "\r", "---", "...", "<<", "{{ x }}", "=", ".5",
        ]);
        prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
    }

    fn nodes() -> impl Strategy<Value = Node> {
        let scalar = prop_oneof![
            text().prop_map(|text| node(NodeKind::Plain(text.trim().to_owned()))),
            text().prop_map(|text| node(NodeKind::Quoted(text))),
            text().prop_map(|text| node(NodeKind::Expression(text))),
        ];
        scalar.prop_recursive(4, 24, 4, |inner| {
            let entries = prop::collection::btree_map(text(), inner.clone(), 0..4).prop_map(|entries| {
                let entry = |(text, value)| (Key { text, place: at() }, value);
                node(NodeKind::Map(entries.into_iter().map(entry).collect()))
            });
            prop_oneof![prop::collection::vec(inner, 0..4).prop_map(|items| node(NodeKind::List(items))), entries]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back_as_the_same(value in nodes()) {
            let mut out = "value:".to_owned();
            append_value(&mut out, &value, 2);
            let mut problems = Diagnostics::new();
            let read = parse(&SourceFile::new("a.yml", out.as_str()), &mut problems);
            prop_assert!(problems.is_empty(), "{out}\n{}", problems.json());
            let found = read.as_ref().and_then(|read| read.get("value")).map(meaning);
            prop_assert_eq!(found, Some(meaning(&value)), "{}", out);
        }
    }
}

//! Reads YAML text into nodes and refuses what the language leaves out: anchors, aliases, tags, repeated keys, more documents.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, Tag};

use super::node::{Key, Node, NodeKind};
use super::rules;
use crate::diagnostics::{Diagnostic, Diagnostics, Place, SourceFile};

/// Deepest nesting that is read. It keeps recursion over nodes within any stack and is far beyond what a config needs.
pub const MAX_DEPTH: usize = 64;

/// Reads the one document of a file. `None` when there is none that could be used; a diagnostic then says why.
pub fn parse(file: &Arc<SourceFile>, problems: &mut Diagnostics) -> Option<Node> {
    let mut reader = Reader { file, bytes: byte_offsets(file.text()), open: Vec::new(), root: None, problems };
    let mut documents = 0;
    for event in Parser::new_from_str(file.text()) {
        let (event, span) = match event {
            Ok(event) => event,
            Err(error) => {
                reader.syntax_error(&error);
                return None;
            }
        };
        if let Event::DocumentStart(_) = event {
            documents += 1;
            if documents > 1 {
                let place = reader.place(span);
                reader.problems.report(rules::second_document(&place));
                break;
            }
        }
        if !reader.event(event, span) {
            return None;
        }
    }
    let root = reader.root.take().filter(|root| !matches!(&root.kind, NodeKind::Plain(text) if text.is_empty()));
    if root.is_none() {
        problems.report(rules::empty_file(file));
    }
    root
}

/// The parser counts characters, diagnostics count bytes: entry `n` is the byte offset of character `n`.
fn byte_offsets(text: &str) -> Vec<usize> {
    text.char_indices().map(|(at, _)| at).chain(std::iter::once(text.len())).collect()
}

/// A list or mapping whose end has not been met.
struct Open {
    start: usize,
    /// Whether a tag before it was refused: then what is in it says nothing.
    is_tagged: bool,
    kind: OpenKind,
}

enum OpenKind {
    List(Vec<Node>),
    Map(OpenMap),
}

#[derive(Default)]
struct OpenMap {
    entries: Vec<(Key, Node)>,
    /// Where each key stands first.
    seen: HashMap<String, Place>,
    /// Whether a key was refused, so that the mapping is not what its author meant.
    lacks_key: bool,
    pending: Pending,
}

/// What a mapping waits for.
#[derive(Default)]
enum Pending {
    #[default]
    Key,
    Value(Key),
    /// The value of a key that was refused; it is dropped.
    Nothing,
}

struct Reader<'a> {
    file: &'a Arc<SourceFile>,
    bytes: Vec<usize>,
    open: Vec<Open>,
    root: Option<Node>,
    problems: &'a mut Diagnostics,
}

impl Reader<'_> {
    fn byte(&self, character: usize) -> usize {
        self.bytes.get(character).copied().unwrap_or(self.file.text().len())
    }

    fn place(&self, span: Span) -> Place {
        self.trimmed(self.byte(span.start.index())..self.byte(span.end.index()))
    }

    /// A span ends where the next token starts; the white space between is not part of the value.
    fn trimmed(&self, span: Range<usize>) -> Place {
        let end = span.start.max(span.end);
        let kept = self.file.text()[span.start..end].trim_end().len();
        Place::new(self.file, span.start..span.start + kept)
    }

    /// Whether to go on.
    fn event(&mut self, event: Event<'_>, span: Span) -> bool {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let node = self.scalar(text.into_owned(), style, tag.as_deref(), span);
                self.refuse_anchor(anchor, &node.place);
                self.add(node);
            }
            Event::Alias(_) => {
                let place = self.place(span);
                self.problems.report(rules::alias(&place));
                self.add(Node { place, kind: NodeKind::Refused });
            }
            Event::SequenceStart(anchor, tag) => return self.start(OpenKind::List(Vec::new()), anchor, tag.as_deref(), span),
            Event::MappingStart(anchor, tag) => return self.start(OpenKind::Map(OpenMap::default()), anchor, tag.as_deref(), span),
            Event::SequenceEnd | Event::MappingEnd => self.end(span),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {}
        }
        true
    }

    fn scalar(&mut self, text: String, style: ScalarStyle, tag: Option<&Tag>, span: Span) -> Node {
        let place = self.place(span);
        let kind = match (tag, style) {
            (Some(tag), _) if is_expression(tag) => NodeKind::Expression(text),
            (Some(tag), _) => {
                let name = self.tag_place(&place);
                self.problems.report(match tag.suffix.as_str() {
                    "js" => rules::javascript(&place, &text),
                    _ => rules::tag(&name),
                });
                NodeKind::Refused
            }
            (None, ScalarStyle::Plain) => NodeKind::Plain(text),
            (None, _) => NodeKind::Quoted(text),
        };
        Node { place, kind }
    }

    fn start(&mut self, kind: OpenKind, anchor: usize, tag: Option<&Tag>, span: Span) -> bool {
        let place = self.place(span);
        if self.open.len() >= MAX_DEPTH {
            self.problems.report(rules::too_deep(&place));
            return false;
        }
        self.refuse_anchor(anchor, &place);
        if let Some(tag) = tag {
            let name = self.tag_place(&place);
            self.problems.report(if is_expression(tag) { rules::expression_of_many(&name) } else { rules::tag(&name) });
        }
        self.open.push(Open { start: place.span.start, is_tagged: tag.is_some(), kind });
        true
    }

    fn end(&mut self, span: Span) {
        // The parser ends only what it started.
        let Some(Open { start, is_tagged, kind }) = self.open.pop() else { return };
        let last = match &kind {
            OpenKind::List(items) => items.last().map(|item| item.place.span.end),
            OpenKind::Map(map) => map.entries.last().map(|(key, value)| value.place.span.end.max(key.place.span.end)),
        };
        // The end of a block is an empty span at the next token, the end of a flow is its bracket.
        let end = if span.end.index() <= span.start.index() { last.unwrap_or(start) } else { self.byte(span.end.index()) };
        let place = self.trimmed(start..end);
        let kind = match kind {
            _ if is_tagged => NodeKind::Refused,
            OpenKind::Map(map) if map.lacks_key && map.entries.is_empty() => NodeKind::Refused,
            OpenKind::List(items) => NodeKind::List(items),
            OpenKind::Map(map) => NodeKind::Map(map.entries),
        };
        self.add(Node { place, kind });
    }

    /// Hands a finished node to what holds it.
    fn add(&mut self, mut node: Node) {
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return;
        };
        let map = match &mut open.kind {
            OpenKind::List(items) => return items.push(node),
            OpenKind::Map(map) => map,
        };
        match std::mem::take(&mut map.pending) {
            Pending::Key => match key(node, &mut map.seen) {
                Ok(key) => map.pending = Pending::Value(key),
                Err(problem) => {
                    // What stands behind a refused tag was refused with it.
                    if let Some(problem) = problem.filter(|_| !open.is_tagged) {
                        self.problems.report(*problem);
                    }
                    map.lacks_key = true;
                    map.pending = Pending::Nothing;
                }
            },
            Pending::Value(key) => {
                if node.place.span.is_empty() {
                    // Nothing was written; the parser puts it at the next token.
                    node.place = key.place.clone();
                }
                map.entries.push((key, node));
            }
            Pending::Nothing => {}
        }
    }

    fn refuse_anchor(&mut self, anchor: usize, place: &Place) {
        if anchor != 0 {
            let text = &self.file.text()[place.span.clone()];
            let start = place.span.start + text.find('&').unwrap_or(0);
            self.problems.report(rules::anchor(&self.word(start)));
        }
    }

    fn tag_place(&self, place: &Place) -> Place {
        let text = &self.file.text()[place.span.clone()];
        self.word(place.span.start + text.find('!').unwrap_or(0))
    }

    /// The text from `start` to the next white space or bracket.
    fn word(&self, start: usize) -> Place {
        let rest = &self.file.text()[start..];
        let length =
            rest.find(|letter: char| letter.is_whitespace() || matches!(letter, '[' | ']' | '{' | '}' | ',')).unwrap_or(rest.len());
        Place::new(self.file, start..start + length)
    }

    fn syntax_error(&mut self, error: &ScanError) {
        let at = self.byte(error.marker().index());
        self.problems.report(match error.info() {
            "recursion limit exceeded" => rules::too_deep(&self.word(at)),
            "while parsing node, found unknown anchor" => rules::alias(&self.word(at)),
            info => rules::yaml_syntax(self.file, at, info),
        });
    }
}

fn is_expression(tag: &Tag) -> bool {
    tag.handle == "!" && tag.suffix == "expr"
}

/// A node as a key that `seen` does not hold yet, or what is wrong with it, when no diagnostic says so already.
fn key(node: Node, seen: &mut HashMap<String, Place>) -> Result<Key, Option<Box<Diagnostic>>> {
    let text = match node.kind {
        NodeKind::Plain(text) if text == "<<" => return Err(Some(Box::new(rules::merge(&node.place)))),
        NodeKind::Plain(text) | NodeKind::Quoted(text) => text,
        NodeKind::Refused => return Err(None),
        NodeKind::Expression(_) | NodeKind::List(_) | NodeKind::Map(_) => return Err(Some(Box::new(rules::complex_key(&node.place)))),
    };
    let key = Key { text, place: node.place };
    match seen.get(&key.text) {
        Some(first) => Err(Some(Box::new(rules::duplicate_key(&key, first)))),
        None => {
            seen.insert(key.text.clone(), key.place.clone());
            Ok(key)
        }
    }
}

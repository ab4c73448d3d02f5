//! What an author probably did where YAML cannot be read. The parser says what it did not find, at the place where it noticed; the
//! slip is often on the line before.

use std::sync::Arc;

use crate::diagnostics::{Place, SourceFile};

/// A slip, with what to do about it where that is known.
pub struct Slip {
    /// The text at fault.
    pub place: Place,
    /// What is wrong with it.
    pub label: String,
    /// What to do.
    pub help: Option<&'static str>,
}

const COLON: &str = "a key and its value are separated by `: `, with a space";
const COLUMNS: &str = "keys of one mapping start in one column";

/// Parts of the parser's words, what to say in their place, and what to do.
const KNOWN: &[(&str, &str, &str)] = &[
    ("tab", "a tab cannot stand here", "indent with spaces"),
    (
        "did not find expected key",
        "a key of this mapping, or its end, was expected here",
        "keys of one mapping start in one column; a key and its value are separated by `: `",
    ),
    (
        "did not find expected '-' indicator",
        "an entry of this list, or its end, was expected here",
        "entries of one list start in one column, and so do the keys of one mapping",
    ),
    ("block sequence entries are not allowed", "an entry of a list cannot start here", "put it on a line of its own, below its key"),
    ("must be followed by a valid YAML whitespace", "a space was expected before this", "put a space after `:` and after `-`"),
    ("did not find expected ',' or '}'", "`,` or `}` was expected here", "close the `{` that is open here"),
    ("expected ',' or ']'", "`,` or `]` was expected here", "close the `[` that is open here"),
    ("misplaced bracket", "nothing is open that this closes", "remove it, or open a `[` or `{` before"),
    (
        "did not find expected node content",
        "a value was expected here",
        "close each `[` and `{` that is open here; a `#` after a space starts a comment",
    ),
    ("invalid indentation in flow construct", "a bracket is still open here", "close each `[` and `{`, or indent what stands in it"),
    ("unexpected end of stream", "the text ends inside quotes", "close the quote"),
    ("invalid indentation in quoted scalar", "this quote is not closed on its line", "close the quote"),
    (
        "invalid trailing content after double-quoted scalar",
        "text after the closing quote",
        "remove it, or write quotes inside of quotes twice in single ones (`'it''s'`) and as `\\\"` in double ones",
    ),
    ("unknown escape character", "no such escape", "in double quotes write `\\\\` for a backslash, or use single quotes"),
    ("unexpected character", "a value without quotes cannot start with this", "put the value in quotes"),
    ("plain scalar cannot start with '-'", "a value without quotes cannot start with this", "put the value in quotes"),
    ("wrongly indented line in block scalar", "indented less than the text above it", "indent the lines of a text alike"),
    (
        "comment intercepting the multiline text",
        "a comment inside of a value of several lines",
        "put the value in quotes, or start it with `|` or `>-`",
    ),
];

/// The slip behind the parser's words `info` about the byte `at`.
pub fn slip(file: &Arc<SourceFile>, at: usize, info: &str) -> Slip {
    let here = written_at(file, at);
    if info.contains("mapping values are not allowed in this context") {
        return stray_colon(file, at, here);
    }
    if info.contains("simple key expect") {
        // Where a line begins, the key without a colon is on the one before.
        let starts_line = file.text()[file.line_start(at)..at].trim().is_empty();
        let key = line_before(file, at).filter(|_| starts_line).map_or(here, |line| without_dashes(&line));
        return Slip { place: key, label: "no `: ` after this key".to_owned(), help: Some(COLON) };
    }
    match KNOWN.iter().find(|(part, ..)| info.contains(part)) {
        Some((_, label, help)) => Slip { place: here, label: (*label).to_owned(), help: Some(help) },
        None => Slip { place: here, label: info.to_owned(), help: None },
    }
}

/// A `: ` where no key can be. When a lone word stands before it, that is a key, and the line before keeps it from being one.
fn stray_colon(file: &Arc<SourceFile>, at: usize, colon: Place) -> Slip {
    let start = file.line_start(at);
    let before = &file.text()[start..at];
    let word = before.trim();
    let is_key = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    let Some(line) = line_before(file, at).filter(|_| is_key) else {
        let help = "put quotes around a value that holds `: `; after `!expr` too";
        return Slip { place: colon, label: "a value cannot start here".to_owned(), help: Some(help) };
    };
    let entry = without_dashes(&line);
    let text = &file.text()[entry.span.clone()];
    if text.starts_with('-') {
        let dash = Place::new(file, entry.span.start..entry.span.start + 1);
        return Slip { place: dash, label: "no space after this `-`".to_owned(), help: Some("put a space after `-`") };
    }
    if !text.contains(": ") && !text.ends_with(':') {
        return Slip { place: entry, label: "no `: ` here, so the next line reads as its rest".to_owned(), help: Some(COLON) };
    }
    let key = start + (before.len() - before.trim_start().len());
    let label = "indented deeper than the key above, which has its value already".to_owned();
    Slip { place: Place::new(file, key..key + word.len()), label, help: Some(COLUMNS) }
}

/// The character at a byte; at the end of a line, where there is nothing to underline, the last thing written.
fn written_at(file: &Arc<SourceFile>, at: usize) -> Place {
    match file.text()[at..].chars().next() {
        Some(letter) if !letter.is_whitespace() || letter == '\t' => Place::new(file, at..at + letter.len_utf8()),
        _ => {
            let end = file.text()[..at].trim_end().len();
            let start = file.text()[..end].char_indices().next_back().map_or(0, |(at, _)| at);
            Place::new(file, start..end)
        }
    }
}

/// What is written on the last line before that of `at` that holds more than a comment.
fn line_before(file: &Arc<SourceFile>, at: usize) -> Option<Place> {
    let mut end = file.line_start(at);
    while end > 0 {
        let start = file.line_start(end - 1);
        let line = &file.text()[start..end];
        let content = line.trim();
        if !content.is_empty() && !content.starts_with('#') {
            let from = start + (line.len() - line.trim_start().len());
            return Some(Place::new(file, from..from + content.len()));
        }
        end = start;
    }
    None
}

/// A line without the `- ` of the entries that start on it.
fn without_dashes(line: &Place) -> Place {
    let text = &line.file.text()[line.span.clone()];
    let mut rest = text;
    while let Some(entry) = rest.strip_prefix("- ") {
        rest = entry.trim_start();
    }
    Place::new(&line.file, line.span.start + (text.len() - rest.len())..line.span.end)
}

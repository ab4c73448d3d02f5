//! Files that diagnostics point into.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A file that was read, with the name by which messages call it.
#[derive(Debug)]
pub struct SourceFile {
    name: String,
    origin: String,
    text: String,
    /// Byte offset of the start of each line.
    lines: Vec<usize>,
}

impl SourceFile {
    /// Wraps a text. `name` is relative to the workspace, or as the user gave it, with `/`.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        let name = name.into();
        Self::with_origin(name.clone(), name, text)
    }

    /// Wraps a text of a file that generated files call `origin`.
    #[must_use]
    pub fn with_origin(name: impl Into<String>, origin: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        let text = text.into();
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Arc::new(Self { name: name.into(), origin: origin.into(), text, lines })
    }

    /// The name for messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name for generated files, which does not depend on the machine or on the folder that a user is in.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Line and column of a byte offset, both from 1; the column counts characters. An offset past the end is the end.
    #[must_use]
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.lines.partition_point(|start| *start <= offset);
        let start = self.lines[line - 1];
        (line, self.text[start..offset].chars().count() + 1)
    }

    /// Byte offset of the start of the line that holds an offset.
    #[must_use]
    pub fn line_start(&self, offset: usize) -> usize {
        self.lines[self.lines.partition_point(|start| *start <= offset) - 1]
    }

    /// Byte offset of the end of the line that holds an offset, its line break included.
    #[must_use]
    pub fn line_end(&self, offset: usize) -> usize {
        self.lines.get(self.lines.partition_point(|start| *start <= offset)).copied().unwrap_or(self.text.len())
    }
}

/// A part of a file.
#[derive(Clone)]
pub struct Place {
    /// The file.
    pub file: Arc<SourceFile>,
    /// Bytes of the file's text.
    pub span: Range<usize>,
}

impl Place {
    /// A part of `file`.
    #[must_use]
    pub fn new(file: &Arc<SourceFile>, span: Range<usize>) -> Self {
        Self { file: Arc::clone(file), span }
    }

    /// The whole first line of a file that has no better place.
    #[must_use]
    pub fn start_of(file: &Arc<SourceFile>) -> Self {
        Self::new(file, 0..file.text.find(['\r', '\n']).unwrap_or(file.text.len()))
    }

    /// Line and column of the first byte, from 1.
    #[must_use]
    pub fn line_column(&self) -> (usize, usize) {
        self.file.line_column(self.span.start)
    }

    /// Whether a line holds a part of both places.
    #[must_use]
    pub fn shares_line(&self, other: &Self) -> bool {
        let lines = |place: &Self| (place.file.line_start(place.span.start), place.file.line_end(place.span.end));
        let ((start, end), (other_start, other_end)) = (lines(self), lines(other));
        self.file.name == other.file.name && start < other_end && other_start < end
    }

    /// `file:line`, for lists in notes.
    #[must_use]
    pub fn file_line(&self) -> String {
        format!("{}:{}", self.file.name, self.line_column().0)
    }

    /// By what diagnostics are sorted.
    #[must_use]
    pub fn order(&self) -> (&str, usize, usize) {
        (&self.file.name, self.span.start, self.span.end)
    }
}

/// `file:line:column`.
impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.line_column();
        write!(out, "{}:{line}:{column}", self.file.name)
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.order() == other.order()
    }
}

impl Eq for Place {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let file = SourceFile::new("a.yml", "é: 1\r\nbéb: x\n");
        let at = file.text().find('x').unwrap();
        assert_eq!(file.line_column(0), (1, 1));
        assert_eq!(file.line_column(at), (2, 6));
        assert_eq!(file.line_column(1_000), (3, 1));
        assert_eq!(Place::new(&file, at..at + 1).to_string(), "a.yml:2:6");
    }
}

//! Comments of a file, handed out in the order of the file to what stands below or before them.

use std::sync::Arc;

use crate::diagnostics::{Place, SourceFile};

pub(super) struct Comments {
    file: Arc<SourceFile>,
    /// What was read so far ends here.
    at: usize,
}

impl Comments {
    pub(super) fn new(file: &Arc<SourceFile>) -> Self {
        Self { file: Arc::clone(file), at: 0 }
    }

    /// The comment at the top of the file, up to the first line that is none.
    pub(super) fn head(&mut self) -> Vec<String> {
        let text = self.file.text();
        let end: usize = text.split_inclusive('\n').take_while(|line| line.starts_with('#')).map(str::len).sum();
        let is_apart = text[end..].starts_with(['\n', '\r']);
        let mut head = self.before(end);
        head.extend(is_apart.then(String::new));
        head
    }

    /// The comments between what was read before and a place.
    pub(super) fn above(&mut self, place: &Place) -> Vec<String> {
        self.before(place.span.start)
    }

    /// The comments after everything else.
    pub(super) fn rest(&mut self) -> Vec<String> {
        self.before(self.file.text().len())
    }

    fn before(&mut self, end: usize) -> Vec<String> {
        if end <= self.at {
            return Vec::new();
        }
        let lines = self.file.text()[self.at..end].lines().map(str::trim);
        let comments = lines.filter(|line| line.starts_with('#')).map(str::to_owned).collect();
        self.at = end;
        comments
    }

    /// The comment on the last line of a value that was read.
    pub(super) fn beside(&mut self, place: &Place) -> Option<String> {
        self.at = self.at.max(end(place));
        let rest = &self.file.text()[self.at..self.file.line_end(self.at)];
        let comment = rest.trim();
        if !rest.starts_with([' ', '\t']) || !comment.starts_with('#') {
            return None;
        }
        self.at += rest.trim_end().len();
        Some(comment.to_owned())
    }

    /// What stands in a place was read.
    pub(super) fn skip(&mut self, place: &Place) {
        self.at = self.at.max(place.span.end);
    }
}

/// Where a value ends. The place of one in brackets goes on to the next token, over comments.
fn end(place: &Place) -> usize {
    let text = &place.file.text()[place.span.clone()];
    let is_over = |rest: &str| rest.lines().all(|line| matches!(line.trim_start().as_bytes().first(), None | Some(b'#')));
    let closing = text.starts_with(['{', '[']).then(|| text.match_indices(['}', ']']).find(|(at, _)| is_over(&text[at + 1..]))).flatten();
    closing.map_or(place.span.end, |(at, _)| place.span.start + at + 1)
}

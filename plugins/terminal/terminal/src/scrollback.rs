//! The lines that a session keeps.

use std::collections::VecDeque;

/// How much is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScrollbackLimits {
    /// Lines.
    pub lines: usize,
    /// Bytes of all lines together, line ends included.
    pub bytes: usize,
}

/// The newest lines of a stream of text. It is a stream and no screen: there is no cursor.
#[derive(Debug)]
pub struct Scrollback {
    limits: ScrollbackLimits,
    /// Never empty; the last line is the one that is being written.
    lines: VecDeque<Vec<u8>>,
    bytes: usize,
    /// Number of the first line that is kept, counted from 0 at the beginning of the stream.
    first: u64,
    /// Bytes that were cut off the front of the first line.
    cut: usize,
}

/// A place in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    line: u64,
    column: usize,
}

/// Lines that were read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The lines, joined by line feeds.
    pub text: String,
    /// How many lines newer than the page were passed over.
    pub offset: u64,
    /// Lines in the page.
    pub lines: u64,
    /// Lines that are kept.
    pub total: u64,
    /// Whether the beginning of the text was cut off.
    pub truncated: bool,
}

impl Scrollback {
    /// An empty one.
    #[must_use]
    pub fn new(limits: ScrollbackLimits) -> Self {
        Self { limits, lines: VecDeque::from([Vec::new()]), bytes: 0, first: 0, cut: 0 }
    }

    /// Adds text.
    pub fn push(&mut self, text: &[u8]) {
        for (index, part) in text.split(|byte| *byte == b'\n').enumerate() {
            if index > 0 {
                self.lines.push_back(Vec::new());
                self.bytes += 1;
            }
            if let Some(line) = self.lines.back_mut() {
                line.extend_from_slice(part);
                self.bytes += part.len();
            }
            self.drop_excess();
        }
    }

    /// Where the next text goes.
    #[must_use]
    pub fn end(&self) -> Position {
        let last = self.lines.back().map_or(0, Vec::len);
        let column = if self.lines.len() == 1 { last + self.cut } else { last };
        Position { line: self.first + self.lines.len() as u64 - 1, column }
    }

    /// What was added since a position, its last `max_bytes`, and whether its beginning is missing.
    #[must_use]
    pub fn since(&self, position: Position, max_bytes: usize) -> (String, bool) {
        let skipped = usize::try_from(position.line.saturating_sub(self.first)).unwrap_or(usize::MAX);
        let mut text: Vec<u8> = self.join(self.lines.iter().skip(skipped));
        let cut = if skipped == 0 { self.cut } else { 0 };
        let lost = position.line < self.first || position.column < cut;
        if !lost {
            text.drain(..(position.column - cut).min(text.len()));
        }
        let (text, shortened) = tail(&text, max_bytes);
        (text, lost || shortened)
    }

    /// `count` lines that end `offset` lines before the newest, their last `max_bytes`.
    #[must_use]
    pub fn page(&self, offset: u64, count: u64, max_bytes: usize) -> Page {
        let written = self.lines.len() - usize::from(self.lines.back().is_some_and(Vec::is_empty));
        let end = written.saturating_sub(usize::try_from(offset).unwrap_or(usize::MAX));
        let start = end.saturating_sub(usize::try_from(count).unwrap_or(usize::MAX));
        let (text, truncated) = tail(&self.join(self.lines.range(start..end)), max_bytes);
        Page { text, offset, lines: (end - start) as u64, total: written as u64, truncated }
    }

    fn join<'a>(&self, lines: impl Iterator<Item = &'a Vec<u8>>) -> Vec<u8> {
        let mut text = Vec::new();
        for (index, line) in lines.enumerate() {
            if index > 0 {
                text.push(b'\n');
            }
            text.extend_from_slice(line);
        }
        text
    }

    fn drop_excess(&mut self) {
        while self.lines.len() > 1 && (self.lines.len() > self.limits.lines || self.bytes > self.limits.bytes) {
            let line = self.lines.pop_front().unwrap_or_default();
            self.bytes -= line.len() + 1;
            self.first += 1;
            self.cut = 0;
        }
        // One line alone may be too long; half of the limit goes at once, so that this is rare.
        if self.bytes > self.limits.bytes
            && let Some(line) = self.lines.front_mut()
        {
            let excess = (self.bytes - self.limits.bytes / 2).min(line.len());
            line.drain(..excess);
            self.bytes -= excess;
            self.cut += excess;
        }
    }
}

/// The last bytes as text that begins with a whole character, and whether something was cut off.
fn tail(text: &[u8], max_bytes: usize) -> (String, bool) {
    let cut = text.len().saturating_sub(max_bytes);
    // Bytes 10xxxxxx continue a character of UTF-8, which has four bytes at most.
    let begins = |at: &usize| text.get(*at).is_none_or(|byte| byte & 0xc0 != 0x80);
    let start = if cut == 0 { 0 } else { (cut..cut + 4).find(begins).unwrap_or(cut) };
    (String::from_utf8_lossy(text.get(start..).unwrap_or_default()).into_owned(), cut > 0)
}

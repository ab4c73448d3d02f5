//! What a session printed, as lines, and where its last prompt is.

use dsh_terminal::{EscapeFilter, Page, Position, Scrollback, ScrollbackLimits, TextSink};

use crate::shell_environment::{PROMPT, PROMPT_MARK};

/// Lines of a session.
pub struct LineModel {
    filter: EscapeFilter,
    lines: Lines,
}

struct Lines {
    scrollback: Scrollback,
    /// Where the text after the last prompt mark begins.
    mark: Option<Position>,
    /// Prompt marks so far.
    marks: u64,
}

impl LineModel {
    /// Nothing printed.
    pub fn new(limits: ScrollbackLimits) -> Self {
        Self { filter: EscapeFilter::default(), lines: Lines { scrollback: Scrollback::new(limits), mark: None, marks: 0 } }
    }

    /// Takes output.
    pub fn push(&mut self, output: &[u8]) {
        self.filter.feed(output, &mut self.lines);
    }

    /// Prompt marks so far.
    pub fn marks(&self) -> u64 {
        self.lines.marks
    }

    /// Whether the last thing printed is a prompt.
    pub fn at_prompt(&self) -> bool {
        self.lines.mark.is_some_and(|mark| self.lines.scrollback.since(mark, PROMPT.len() + 1).0 == PROMPT)
    }

    /// Where the next text goes.
    pub fn end(&self) -> Position {
        self.lines.scrollback.end()
    }

    /// See [`Scrollback::since`].
    pub fn since(&self, position: Position, max_bytes: usize) -> (String, bool) {
        self.lines.scrollback.since(position, max_bytes)
    }

    /// See [`Scrollback::page`].
    pub fn page(&self, offset: u64, count: u64, max_bytes: usize) -> Page {
        self.lines.scrollback.page(offset, count, max_bytes)
    }
}

impl TextSink for Lines {
    fn text(&mut self, text: &[u8]) {
        self.scrollback.push(text);
    }

    fn command(&mut self, command: &[u8]) {
        if command.starts_with(PROMPT_MARK) {
            self.mark = Some(self.scrollback.end());
            self.marks += 1;
        }
    }
}

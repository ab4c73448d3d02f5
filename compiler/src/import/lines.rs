//! Lines of a document that is written.

use dsh_language::document::append_value;

use crate::load::Node;

/// Lines, each without its line break.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lines(Vec<String>);

impl Lines {
    pub(super) fn of(lines: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self(lines.into_iter().map(Into::into).collect())
    }

    /// A key with a value that is no mapping or list with something in it, and with the comment beside it.
    pub(super) fn entry(key: &str, value: &Node, beside: Option<String>) -> Self {
        let mut text = format!("{key}:");
        append_value(&mut text, value, 2);
        Self::of(text.lines()).with_beside(beside)
    }

    /// An element of a list that is no mapping or list with something in it.
    pub(super) fn element(value: &Node, beside: Option<String>) -> Self {
        let mut text = "-".to_owned();
        append_value(&mut text, value, 2);
        Self::of(text.lines()).with_beside(beside)
    }

    /// A comment beside a value of one line; above one of several.
    fn with_beside(mut self, beside: Option<String>) -> Self {
        match (beside, &mut self.0[..]) {
            (None, _) => self,
            (Some(comment), [line]) => {
                *line = format!("{line} {comment}");
                self
            }
            (Some(comment), _) => Self::of([comment]).and(self),
        }
    }

    pub(super) fn and(mut self, mut more: Self) -> Self {
        self.0.append(&mut more.0);
        self
    }

    /// Below a key.
    pub(super) fn below(self, key: &str) -> Self {
        if self.has_values() { Self::of([format!("{key}:")]).and(self.indented()) } else { self }
    }

    /// As an element of a list. The first line that is no comment stands behind the dash.
    pub(super) fn item(self) -> Self {
        let first = self.0.iter().position(|line| !is_comment(line)).unwrap_or(self.0.len());
        let (above, rest) = self.0.split_at(first);
        let rest = rest.iter().enumerate().map(|(at, line)| if at == 0 { format!("- {line}") } else { indented(line) });
        Self(above.iter().cloned().chain(rest).collect())
    }

    pub(super) fn indented(self) -> Self {
        Self(self.0.iter().map(|line| indented(line)).collect())
    }

    /// Whether there is more than comments.
    pub(super) fn has_values(&self) -> bool {
        self.0.iter().any(|line| !is_comment(line))
    }

    /// The comments alone.
    pub(super) fn without_values(self) -> Self {
        Self(self.0.into_iter().filter(|line| is_comment(line)).collect())
    }

    pub(super) fn text(&self) -> String {
        self.0.iter().map(|line| format!("{line}\n")).collect()
    }
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// Lines of a block that hold nothing stay so.
fn indented(line: &str) -> String {
    if line.is_empty() { String::new() } else { format!("  {line}") }
}

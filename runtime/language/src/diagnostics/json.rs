//! The form for programs: the same fields in a fixed order.

use serde::Serialize;

use super::diagnostic::{Diagnostic, Label};

#[derive(Serialize)]
struct Message<'a> {
    code: &'static str,
    severity: &'static str,
    title: &'a str,
    primary: Option<Position<'a>>,
    /// The line at fault may hold a secret and must not be shown.
    redacted: bool,
    secondary: Vec<Position<'a>>,
    notes: &'a [String],
    helps: &'a [String],
}

/// Lines and columns count from 1, columns in characters; `start` and `end` are byte offsets, `end` exclusive.
#[derive(Serialize)]
struct Position<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    start: usize,
    end: usize,
    label: &'a str,
}

impl Diagnostic {
    /// The problem as one line of JSON, without a line break.
    #[must_use]
    pub fn json(&self) -> String {
        let message = Message {
            code: self.rule.code,
            severity: self.rule.severity.word(),
            title: &self.title,
            primary: self.primary.as_ref().map(position),
            redacted: self.redacted,
            secondary: self.secondary.iter().map(position).collect(),
            notes: &self.notes,
            helps: &self.helps,
        };
        serde_json::to_string(&message).expect("strings and numbers under string keys are always JSON")
    }
}

fn position(label: &Label) -> Position<'_> {
    let (line, column) = label.place.line_column();
    let (end_line, end_column) = label.place.file.line_column(label.place.span.end);
    Position {
        file: label.place.file.name(),
        line,
        column,
        end_line,
        end_column,
        start: label.place.span.start,
        end: label.place.span.end,
        label: &label.text,
    }
}

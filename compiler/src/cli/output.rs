//! Where problems go, and what they make of a run.

use std::fmt::Display;

use serde::Serialize;

use super::arguments::MessageFormat;
use super::{FAULT, REFUSED, USAGE};
use crate::build::BuildError;
use crate::console::{answer, is_coloured, say};
use crate::diagnostics::{Diagnostics, Severity, Style};

/// How a run speaks.
pub(super) struct Output {
    format: MessageFormat,
    deny_warnings: bool,
}

impl Output {
    pub(super) fn new(format: MessageFormat, deny_warnings: bool) -> Self {
        Self { format, deny_warnings }
    }

    /// Whether programs read the answers.
    pub(super) fn is_json(&self) -> bool {
        self.format == MessageFormat::Json
    }

    /// Shows all problems: for readers on standard error, for programs on standard output.
    ///
    /// # Errors
    /// The exit status, when the problems end the run.
    pub(super) fn show(&self, diagnostics: &Diagnostics) -> Result<(), u8> {
        match self.format {
            MessageFormat::Human if diagnostics.is_empty() => {}
            MessageFormat::Human => say(format_args!("{}{}", diagnostics.human(style()), summary(diagnostics))),
            MessageFormat::Json => self.answer(&diagnostics.json())?,
        }
        match diagnostics.class() {
            Some(class) => Err(class.exit_status()),
            None if self.deny_warnings && !diagnostics.is_empty() => {
                if !self.is_json() {
                    say("dsh-build: refused, since warnings are denied (`--deny warnings`)");
                }
                Err(REFUSED)
            }
            None => Ok(()),
        }
    }

    /// Writes a whole answer to standard output: for readers as it shows itself, for programs as JSON in one line.
    ///
    /// # Errors
    /// The exit status, when the stream cannot be written.
    pub(super) fn report(&self, report: &(impl Display + Serialize)) -> Result<(), u8> {
        if self.is_json() { self.json(report) } else { self.answer(&report.to_string()) }
    }

    /// Writes a whole answer as JSON in one line.
    ///
    /// # Errors
    /// The exit status, when the stream cannot be written.
    pub(super) fn json(&self, report: &impl Serialize) -> Result<(), u8> {
        self.answer(&self.line(report)?)
    }

    /// A whole answer as one line of JSON.
    ///
    /// # Errors
    /// The exit status, when there is no such line.
    pub(super) fn line(&self, report: &impl Serialize) -> Result<String, u8> {
        let text = serde_json::to_string(report).map_err(|error| {
            say(format_args!("dsh-build: the answer cannot be written as JSON: {error}"));
            FAULT
        })?;
        Ok(text + "\n")
    }

    /// Writes the answer, or a part of it, to standard output.
    ///
    /// # Errors
    /// The exit status, when the stream cannot be written.
    pub(super) fn answer(&self, text: &str) -> Result<(), u8> {
        self.bytes(text.as_bytes())
    }

    /// Writes an answer that need not be text to standard output.
    ///
    /// # Errors
    /// The exit status, when the stream cannot be written.
    pub(super) fn bytes(&self, bytes: &[u8]) -> Result<(), u8> {
        answer(bytes).map_err(|error| {
            say(format_args!("error: standard output: {error}"));
            USAGE
        })
    }
}

fn style() -> Style {
    if is_coloured() { Style::Styled } else { Style::Plain }
}

fn summary(diagnostics: &Diagnostics) -> String {
    let counts = [Severity::Error, Severity::Warning].map(|severity| (diagnostics.count(severity), severity.word()));
    let counts: Vec<String> = counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, word)| counted(count, word)).collect();
    format!("dsh-build: {}", counts.join(", "))
}

/// `1 row`, `2 rows`.
pub(super) fn counted(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}

/// Says why there is no result and yields the exit status.
pub(super) fn said(error: BuildError) -> u8 {
    say(format_args!("error: {error}"));
    error.exit_status()
}

//! All problems of a run.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::diagnostic::{Diagnostic, Label};
use super::human::Style;
use super::rule::{Class, Severity};
use super::source::Place;

/// The problems that the stages of a run found; they are shown together, each once, sorted by place.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    found: Vec<Diagnostic>,
    /// What tells one problem from another: two profiles that share a bundle share its faults.
    known: HashSet<Identity>,
}

type Identity = (&'static str, Option<(String, usize, usize)>, String);

impl Diagnostics {
    /// Nothing found yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a problem, unless it was reported before.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        let place = diagnostic.place().map(Place::order).map(|(file, start, end)| (file.to_owned(), start, end));
        if self.known.insert((diagnostic.rule.code, place, diagnostic.title.clone())) {
            self.found.push(diagnostic);
        }
    }

    /// Adds problems.
    pub fn extend(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        found.into_iter().for_each(|diagnostic| self.report(diagnostic));
    }

    /// Adds what was found elsewhere.
    pub fn append(&mut self, other: Self) {
        other.found.into_iter().for_each(|diagnostic| self.report(diagnostic));
    }

    /// The problems, in the order in which they were reported.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.found.iter()
    }

    /// All of them, in the order in which they were reported.
    #[must_use]
    pub fn into_found(self) -> Vec<Diagnostic> {
        self.found
    }

    /// The errors alone, where the warnings were shown before.
    #[must_use]
    pub fn errors(mut self) -> Self {
        self.found.retain(|found| found.rule.severity == Severity::Error);
        self
    }

    /// Whether nothing at all was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Number of problems of a severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.found.iter().filter(|found| found.rule.severity == severity).count()
    }

    /// Whether an error was found: the next stage's result must not be used.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    /// The gravest class among the errors; `None` when there is no error.
    #[must_use]
    pub fn class(&self) -> Option<Class> {
        self.found.iter().filter(|found| found.rule.severity == Severity::Error).map(|found| found.rule.class).max()
    }

    /// All of them for a reader, an empty line after each.
    #[must_use]
    pub fn human(&self, style: Style) -> String {
        let mut text = String::new();
        for diagnostic in self.shown() {
            // Writing to a `String` cannot fail.
            let _ = writeln!(text, "{}\n", diagnostic.human(style));
        }
        text
    }

    /// All of them for a program: one JSON object a line.
    #[must_use]
    pub fn json(&self) -> String {
        self.shown().into_iter().map(|diagnostic| diagnostic.json() + "\n").collect()
    }

    /// The problems by place: those without one first, then by file name, offset and code. A line that may hold a secret is hidden in
    /// all of them.
    fn shown(&self) -> Vec<Diagnostic> {
        let secrets: Vec<&Place> = self.found.iter().filter(|found| found.redacted).filter_map(Diagnostic::place).collect();
        let mut shown: Vec<Diagnostic> = self.found.clone();
        shown.sort_by(|a, b| key(a).cmp(&key(b)));
        for diagnostic in &mut shown {
            let shares_line = |label: &Label| secrets.iter().any(|secret| secret.shares_line(&label.place));
            diagnostic.redacted |= diagnostic.primary.iter().chain(&diagnostic.secondary).any(shares_line);
        }
        shown
    }
}

type Key<'a> = (Option<(&'a str, usize, usize)>, &'static str, &'a str);

fn key(diagnostic: &Diagnostic) -> Key<'_> {
    (diagnostic.place().map(Place::order), diagnostic.rule.code, &diagnostic.title)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::{Rule, SourceFile};

    static RULE: Rule = Rule::error("DSH0000", "for this test", "for this test");

    #[test]
    fn a_line_with_a_secret_is_hidden_in_every_problem() {
        let file = SourceFile::new("a.yml", "key: hunter2, other: 1\nnext: 2\n");
        let mut problems = Diagnostics::new();
        problems.report(Diagnostic::new(&RULE, "other").at(&Place::new(&file, 14..19), "wrong"));
        problems.report(Diagnostic::new(&RULE, "next").at(&Place::new(&file, 23..27), "wrong").and(&Place::new(&file, 0..3), "see here"));
        problems.report(Diagnostic::new(&RULE, "key").at_redacted(&Place::new(&file, 5..12), "a secret"));
        let text = problems.human(Style::Plain);
        assert!(text.contains("a.yml:1:6") && text.contains("a.yml:1:15") && text.contains("a.yml:2:1"), "{text}");
        assert!(!text.contains("hunter2"), "{text}");
        assert!(!problems.json().contains("\"redacted\":false"), "{}", problems.json());
    }

    #[test]
    fn what_is_reported_twice_is_shown_once() {
        let mut problems = Diagnostics::new();
        for title in ["one", "two", "one"] {
            problems.report(Diagnostic::new(&RULE, title));
        }
        assert_eq!(problems.count(Severity::Error), 2);
    }
}

//! All problems of a run.

use std::fmt::Write as _;

use super::diagnostic::Diagnostic;
use super::human::Style;
use super::rule::{Class, Severity};

/// The problems that the stages of a run found; they are shown together, sorted by place.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    found: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Nothing found yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a problem.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    /// Adds what another stage found.
    pub fn append(&mut self, other: Self) {
        self.found.extend(other.found);
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

    /// The problems by place: those without one first, then by file name, offset and code.
    #[must_use]
    pub fn sorted(&self) -> Vec<&Diagnostic> {
        let mut sorted: Vec<&Diagnostic> = self.found.iter().collect();
        sorted.sort_by(|a, b| key(a).cmp(&key(b)));
        sorted
    }

    /// All of them for a reader, an empty line after each.
    #[must_use]
    pub fn human(&self, style: Style) -> String {
        let mut text = String::new();
        for diagnostic in self.sorted() {
            // Writing to a `String` cannot fail.
            let _ = writeln!(text, "{}\n", diagnostic.human(style));
        }
        text
    }

    /// All of them for a program: one JSON object a line.
    #[must_use]
    pub fn json(&self) -> String {
        self.sorted().into_iter().map(|diagnostic| diagnostic.json() + "\n").collect()
    }
}

type Key<'a> = (Option<(&'a str, usize, usize)>, &'static str, &'a str);

fn key(diagnostic: &Diagnostic) -> Key<'_> {
    (diagnostic.primary.as_ref().map(|label| label.place.order()), diagnostic.rule.code, &diagnostic.title)
}

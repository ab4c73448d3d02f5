//! One problem.

use super::rule::Rule;
use super::source::Place;

/// A problem, with all that a reader needs to mend it.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The rule that was broken.
    pub rule: &'static Rule,
    /// What is wrong: a short phrase in lower case without a full stop, code in backticks.
    pub title: String,
    /// The text at fault; absent when no file is.
    pub primary: Option<Label>,
    /// The line at fault may hold a secret: its position is shown, never its text.
    pub redacted: bool,
    /// Other places that the reader must see, possibly in other files.
    pub secondary: Vec<Label>,
    /// Facts.
    pub notes: Vec<String>,
    /// What to do.
    pub helps: Vec<String>,
}

/// A place with a few words about it.
#[derive(Clone, Debug)]
pub struct Label {
    /// Where.
    pub place: Place,
    /// What is to be seen there.
    pub text: String,
}

impl Label {
    fn new(place: &Place, text: impl Into<String>) -> Self {
        Self { place: place.clone(), text: text.into() }
    }
}

impl Diagnostic {
    /// A problem that no file is at fault for, until [`Diagnostic::at`] names one.
    #[must_use]
    pub fn new(rule: &'static Rule, title: impl Into<String>) -> Self {
        Self { rule, title: title.into(), primary: None, redacted: false, secondary: Vec::new(), notes: Vec::new(), helps: Vec::new() }
    }

    /// The place of the text at fault.
    #[must_use]
    pub fn place(&self) -> Option<&Place> {
        self.primary.as_ref().map(|label| &label.place)
    }

    /// Names the text at fault.
    #[must_use]
    pub fn at(mut self, place: &Place, label: impl Into<String>) -> Self {
        self.primary = Some(Label::new(place, label));
        self
    }

    /// Names the text at fault, where it is known.
    #[must_use]
    pub fn at_if(self, place: Option<&Place>, label: impl FnOnce() -> String) -> Self {
        match place {
            Some(place) => self.at(place, label()),
            None => self,
        }
    }

    /// Names the place at fault without showing its line, which may hold a secret.
    #[must_use]
    pub fn at_redacted(self, place: &Place, label: impl Into<String>) -> Self {
        Self { redacted: true, ..self.at(place, label) }
    }

    /// Shows another place.
    #[must_use]
    pub fn and(mut self, place: &Place, label: impl Into<String>) -> Self {
        self.secondary.push(Label::new(place, label));
        self
    }

    /// Shows another place, where it is known.
    #[must_use]
    pub fn and_if(self, place: Option<&Place>, label: &str) -> Self {
        match place {
            Some(place) => self.and(place, label),
            None => self,
        }
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds a fact, when there is one.
    #[must_use]
    pub fn note_if(self, text: Option<impl Into<String>>) -> Self {
        match text {
            Some(text) => self.note(text),
            None => self,
        }
    }

    /// Adds what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.helps.push(text.into());
        self
    }

    /// Adds what to do, when there is something.
    #[must_use]
    pub fn help_if(self, text: Option<impl Into<String>>) -> Self {
        match text {
            Some(text) => self.help(text),
            None => self,
        }
    }
}

//! The form for readers.

use std::collections::BTreeMap;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet, normalize_untrusted_str};

use super::diagnostic::{Diagnostic, Label};
use super::rule::Severity;

/// How text for readers is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// No colour.
    Plain,
    /// ANSI colour.
    Styled,
}

impl Diagnostic {
    /// The problem for a reader, without a final line break.
    #[must_use]
    pub fn human(&self, style: Style) -> String {
        let level = match self.rule.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut group = Group::with_title(level.primary_title(self.title.as_str()).id(self.rule.code));
        group = self.places(group);
        for note in &self.notes {
            group = group.element(Level::NOTE.message(normalize_untrusted_str(note)));
        }
        for help in &self.helps {
            group = group.element(Level::HELP.message(normalize_untrusted_str(help)));
        }
        let renderer = match style {
            Style::Plain => Renderer::plain(),
            Style::Styled => Renderer::styled(),
        };
        renderer.render(&[group])
    }

    /// One snippet a file, the primary place's file first.
    fn places<'a>(&'a self, mut group: Group<'a>) -> Group<'a> {
        let Some(primary) = &self.primary else { return group };
        if self.redacted {
            let (line, column) = primary.place.line_column();
            group = group.element(Origin::path(primary.place.file.name()).line(line).char_column(column));
            return group.element(Level::NOTE.message(normalize_untrusted_str(&primary.text)));
        }
        let mut files: BTreeMap<(bool, &str), Vec<(AnnotationKind, &Label)>> = BTreeMap::new();
        for (kind, label) in std::iter::once((AnnotationKind::Primary, primary))
            .chain(self.secondary.iter().map(|label| (AnnotationKind::Context, label)))
        {
            let name = label.place.file.name();
            files.entry((name != primary.place.file.name(), name)).or_default().push((kind, label));
        }
        for ((_, name), labels) in files {
            let text = labels[0].1.place.file.text();
            let annotations = labels.into_iter().map(|(kind, label)| annotation(kind, label));
            group = group.element(Snippet::source(text).path(name).annotations(annotations));
        }
        group
    }
}

/// Only the first line of a longer span is underlined.
fn annotation<'a>(kind: AnnotationKind, label: &'a Label) -> Annotation<'a> {
    let span = label.place.span.clone();
    let text = &label.place.file.text()[span.clone()];
    let end = span.start + text.find(['\r', '\n']).unwrap_or(text.len());
    kind.span(span.start..end).label((!label.text.is_empty()).then_some(label.text.as_str()))
}

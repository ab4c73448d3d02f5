//! The form for readers.

use std::collections::BTreeMap;
use std::ops::Range;

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
        for (kind, label) in
            std::iter::once((AnnotationKind::Primary, primary)).chain(self.secondary.iter().map(|label| (AnnotationKind::Context, label)))
        {
            let name = label.place.file.name();
            files.entry((name != primary.place.file.name(), name)).or_default().push((kind, label));
        }
        files.into_iter().fold(group, |group, ((_, name), labels)| group.element(snippet(name, &labels)))
    }
}

/// The lines of one file that hold the labels. Only these are handed on, since the renderer goes through all that it gets.
fn snippet<'a>(name: &'a str, labels: &[(AnnotationKind, &'a Label)]) -> Snippet<'a, Annotation<'a>> {
    let file = &labels[0].1.place.file;
    let spans = labels.iter().map(|(_, label)| first_line(label));
    let (first, last) = spans.fold((usize::MAX, 0), |(first, last), span| (first.min(span.start), last.max(span.end)));
    let (start, end) = (file.line_start(first), file.line_end(last));
    let annotations = labels.iter().map(|(kind, label)| {
        let span = first_line(label);
        let text = (!label.text.is_empty()).then_some(label.text.as_str());
        kind.span(span.start - start..span.end - start).label(text)
    });
    Snippet::source(&file.text()[start..end]).path(name).line_start(file.line_column(start).0).annotations(annotations)
}

/// The part of a label's place on its first line: only that is underlined.
fn first_line(label: &Label) -> Range<usize> {
    let span = label.place.span.clone();
    let text = &label.place.file.text()[span.clone()];
    span.start..span.start + text.find(['\r', '\n']).unwrap_or(text.len())
}

//! The bounds of a config field: to which types they apply, and whether they agree with each other and with the default.

use proc_macro2::Span;

use crate::defaults::in_range;
use crate::model::{Bounds, Default, FieldType, Number};
use crate::problems::Problems;

/// The bounds of a field with their places.
#[derive(Default)]
pub(crate) struct GivenBounds {
    pub(crate) min: Option<(Number, Span)>,
    pub(crate) max: Option<(Number, Span)>,
    pub(crate) non_empty: Option<Span>,
    pub(crate) non_blank: Option<Span>,
    pub(crate) one_of: Option<(Vec<String>, Span)>,
}

/// The type inside `Option`, `Vec` and `BTreeMap`: what `min`, `max`, `non_blank` and `one_of` speak of.
fn leaf(ty: &FieldType) -> &FieldType {
    match ty {
        FieldType::Option(inner) | FieldType::List(inner) | FieldType::Map(inner) => leaf(inner),
        other => other,
    }
}

/// The type inside `Option`: what `non_empty` speaks of.
fn present(ty: &FieldType) -> &FieldType {
    match ty {
        FieldType::Option(inner) => inner,
        other => other,
    }
}

impl GivenBounds {
    /// Without their places.
    pub(crate) fn read(self) -> Bounds {
        Bounds {
            min: self.min.map(|(min, _)| min),
            max: self.max.map(|(max, _)| max),
            non_empty: self.non_empty.is_some(),
            non_blank: self.non_blank.is_some(),
            one_of: self.one_of.map_or_else(Vec::new, |(words, _)| words.into_iter().map(Into::into).collect()).into(),
        }
    }

    /// Reports bounds that do not apply to the type, or that no value can keep.
    pub(crate) fn check(&self, ty: &FieldType, problems: &mut Problems) {
        for (bound, span) in self.min.iter().chain(&self.max) {
            match leaf(ty) {
                FieldType::Int(int) => {
                    if let Err(message) = in_range(*bound, *int) {
                        problems.at_span(*span, message);
                    }
                }
                FieldType::Float => {}
                _ => problems.at_span(*span, "`min` and `max` are for numbers"),
            }
        }
        if let (Some((min, _)), Some((max, span))) = (self.min, self.max)
            && max.is_below(min)
        {
            problems.at_span(span, "`max` is below `min`");
        }
        let sized = matches!(present(ty), FieldType::Text | FieldType::Path | FieldType::List(_) | FieldType::Map(_));
        if let (Some(span), false) = (self.non_empty, sized) {
            problems.at_span(span, "`non_empty` is for strings, paths, lists and maps");
        }
        let text = matches!(leaf(ty), FieldType::Text);
        if let (Some(span), false) = (self.non_blank, text) {
            problems.at_span(span, "`non_blank` is for strings");
        }
        match &self.one_of {
            Some((_, span)) if !text => problems.at_span(*span, "`one_of` is for strings"),
            Some((words, span)) if words.is_empty() => problems.at_span(*span, "`one_of` lists at least one string"),
            _ => {}
        }
    }

    /// Reports a default that breaks a bound.
    pub(crate) fn check_default(&self, default: &Default, span: Span, problems: &mut Problems) {
        let empty = match default {
            Default::Text(text) => text.is_empty(),
            Default::List(items) => items.is_empty(),
            Default::Empty => true,
            Default::Bool(_) | Default::Number(_) => false,
        };
        if self.non_empty.is_some() && empty {
            problems.at_span(span, "the default is empty, and the field is `non_empty`");
        }
        self.check_leaves(default, span, problems);
    }

    fn check_leaves(&self, default: &Default, span: Span, problems: &mut Problems) {
        match default {
            Default::List(items) => items.iter().for_each(|item| self.check_leaves(item, span, problems)),
            Default::Number(number) => {
                let above = self.max.is_some_and(|(max, _)| max.is_below(*number));
                let below = self.min.is_some_and(|(min, _)| number.is_below(min));
                if above || below {
                    problems.at_span(span, "the default is outside `min` and `max`");
                }
            }
            Default::Text(text) => {
                if self.non_blank.is_some() && text.trim().is_empty() {
                    problems.at_span(span, "the default is blank, and the field is `non_blank`");
                }
                if self.one_of.as_ref().is_some_and(|(words, _)| !words.iter().any(|word| word == text)) {
                    problems.at_span(span, "the default is not in `one_of`");
                }
            }
            Default::Bool(_) | Default::Empty => {}
        }
    }
}

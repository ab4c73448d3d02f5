//! The bounds of a config field.

use std::borrow::Cow;

use crate::{Number, Text};

/// What the values of a field keep to, besides their type.
#[derive(Clone, Debug, PartialEq)]
pub struct Bounds {
    /// Inclusive lower bound.
    pub min: Option<Number>,
    /// Inclusive upper bound.
    pub max: Option<Number>,
    /// At least one character, element or entry.
    pub non_empty: bool,
    /// At least one character that is not white space.
    pub non_blank: bool,
    /// Allowed values of a string.
    pub one_of: Cow<'static, [Text]>,
}

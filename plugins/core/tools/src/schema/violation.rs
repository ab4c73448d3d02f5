//! What is wrong with arguments.

use std::fmt;

/// A way in which a value breaks its schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    /// Where, such as `edits[0].text`; empty for the arguments themselves.
    pub(crate) path: String,
    /// What is wrong there.
    pub(crate) kind: ViolationKind,
}

/// The rule that is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ViolationKind {
    /// A required property is not there.
    Missing,
    /// The value has another type.
    Type {
        /// The type that it should have.
        expected: String,
        /// The type that it has.
        found: &'static str,
    },
    /// Minus zero, which is no JSON number.
    NotFinite,
    /// The value is not in the list, given as JSON.
    Enum(String),
    /// The value is another than this one, given as JSON.
    Const(String),
    /// The object is closed and does not declare this property.
    Undeclared,
    /// Not exactly one branch fits.
    OneOf {
        /// How many do.
        matched: usize,
    },
    /// The value does not survive writing and reading.
    NotLossless,
}

impl fmt::Display for Violation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "arguments" } else { &self.path };
        match &self.kind {
            ViolationKind::Missing => write!(out, "missing required property \"{path}\""),
            ViolationKind::Type { expected, found } => write!(out, "{path} must be of type {expected}, not {found}"),
            ViolationKind::NotFinite => write!(out, "{path} must be a finite JSON number"),
            ViolationKind::Enum(values) => write!(out, "{path} must be one of {values}"),
            ViolationKind::Const(value) => write!(out, "{path} must equal {value}"),
            ViolationKind::Undeclared => write!(out, "undeclared property \"{path}\""),
            ViolationKind::OneOf { matched } => write!(out, "{path} must match exactly one oneOf branch, matched {matched}"),
            ViolationKind::NotLossless => write!(out, "{path} must be lossless JSON"),
        }
    }
}

impl Violation {
    /// The arguments do not survive writing and reading.
    pub(crate) fn not_lossless() -> Self {
        Self { path: String::new(), kind: ViolationKind::NotLossless }
    }

    /// All violations as the model reads them.
    pub(crate) fn join(violations: &[Self]) -> String {
        violations.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }
}

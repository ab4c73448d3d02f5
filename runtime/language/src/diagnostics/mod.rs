//! What is said about a composition: a problem with its places, and the two forms in which it is shown.

mod collection;
mod diagnostic;
mod human;
mod json;
mod nearest;
mod rule;
mod source;

pub use collection::Diagnostics;
pub use diagnostic::{Diagnostic, Label};
pub use human::Style;
pub use nearest::nearest;
pub use rule::{Class, Rule, Severity};
pub use source::{Place, SourceFile};

/// Joins names for a message, each in backticks: `` `a`, `b` ``.
#[must_use]
pub fn quoted<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

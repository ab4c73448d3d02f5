//! A config type that another package declares.

use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::index::ItemId;

/// The rule.
pub(crate) static RULE: Rule = Rule::error("DSH0414", "a config type comes from another package", include_str!("foreign_config.md"));

/// Makes the diagnostic.
pub(crate) fn foreign_config(at: &Place, id: &ItemId, package: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("the config type `{}` belongs to the package `{}`", id.name, id.package))
        .at(at, format!("expected a type of `{package}`"))
        .help(format!("declare a config type in `{package}` and convert it"))
}

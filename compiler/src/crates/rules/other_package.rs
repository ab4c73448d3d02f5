//! A crate with another name than it is listed by.

use crate::diagnostics::{Diagnostic, Rule};
use crate::load::Named;

/// `DSH0125`
pub(crate) static RULE: Rule = Rule::error("DSH0125", "a crate has another name than it is listed by", include_str!("other_package.md"));

/// The manifest at the path names another package.
pub(crate) fn other_package(name: &Named, found: &str, manifest: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("the crate at the path of `{}` is the package `{found}`", name.text))
        .at(&name.place, "another name")
        .note(format!("`{manifest}` says `name = \"{found}\"`"))
        .help(format!("write `{found}` here, or rename the package"))
}

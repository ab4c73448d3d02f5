//! A path at which no crate lies.

use crate::diagnostics::{Diagnostic, Rule};
use crate::load::Named;

/// `DSH0124`
pub(crate) static RULE: Rule = Rule::error("DSH0124", "no crate lies at a path under `crates`", include_str!("no_crate.md"));

/// `found` says what lies there instead of a crate, `manifest` the file that was looked for.
pub(crate) fn no_crate(name: &Named, manifest: &str, found: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("crate `{}` is not where its path leads", name.text))
        .at(&name.place, found)
        .note(format!("looked for `{manifest}`"))
        .help("name the folder of the crate, relative to that of the profile")
}

/// A manifest that cargo could not read either.
pub(crate) fn unreadable_manifest(name: &Named, manifest: &str, error: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("the manifest of crate `{}` cannot be read", name.text))
        .at(&name.place, "listed here")
        .note(format!("`{manifest}`: {error}"))
}

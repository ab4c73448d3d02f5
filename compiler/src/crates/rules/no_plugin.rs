//! A crate without a plugin.

use crate::diagnostics::{Diagnostic, Rule};
use crate::load::Named;

/// `DSH0127`
pub(crate) static RULE: Rule = Rule::error("DSH0127", "a crate under `crates` declares no plugin", include_str!("no_plugin.md"));

/// `reason` says why nothing was found, when that is known.
pub(crate) fn no_plugin(name: &Named, reason: Option<&str>) -> Diagnostic {
    Diagnostic::new(&RULE, format!("crate `{}` declares no plugin", name.text))
        .at(&name.place, "has neither a plugin nor bundles")
        .note_if(reason)
        .help("declare a plugin with `#[plugin]` on an `impl` in its library, or remove it from `crates`")
}

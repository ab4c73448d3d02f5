//! Two crates that give one plugin name.

use crate::diagnostics::{Diagnostic, Rule};
use crate::load::Named;

/// `DSH0137`
pub(crate) static RULE: Rule = Rule::error("DSH0137", "two crates of a profile give one plugin name", include_str!("same_plugin.md"));

/// The later crate and the first.
pub(crate) fn same_plugin(plugin: &str, again: &Named, first: &Named) -> Diagnostic {
    Diagnostic::new(&RULE, format!("two crates are the plugin `{plugin}`: `{}` and `{}`", first.text, again.text))
        .at(&again.place, "this one")
        .and(&first.place, "and this one")
        .help("rename one of the packages, or remove it from `crates`")
}

//! A crate that nothing of the profile uses.

use crate::diagnostics::{Diagnostic, Rule};
use crate::load::Named;

/// `DSH0129`
pub(crate) static RULE: Rule = Rule::error("DSH0129", "nothing uses a crate under `crates`", include_str!("unused.md"));

/// `plugin` is the name of its plugin, `bundles` the names of its bundles.
pub(crate) fn unused(name: &Named, plugin: Option<&str>, bundles: &[String]) -> Diagnostic {
    let found = Diagnostic::new(&RULE, format!("nothing uses crate `{}`", name.text)).at(&name.place, "would be ignored");
    match (plugin, bundles) {
        (Some(plugin), _) => found.help(format!("insert a row with `plugin: {plugin}`, or remove the crate from `crates`")),
        (None, bundles) => found.help(format!("list one of its bundles ({}), or remove the crate from `crates`", bundles.join(", "))),
    }
}

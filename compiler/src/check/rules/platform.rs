//! A plugin that does not run where the binary will.

use crate::diagnostics::{Diagnostic, Diagnostics, Rule, quoted};
use crate::index::PluginEntry;
use crate::resolve::Row;

/// `DSH0217`
pub static RULE: Rule = Rule::error("DSH0217", "a plugin does not run on the platform that the binary is for", include_str!("platform.md"));

/// The platform that binaries are built for.
const TARGET: &str = "linux";

/// Checks the plugin of a row that mounts.
pub fn platform(row: &Row, plugin: &PluginEntry, problems: &mut Diagnostics) {
    let platforms = &plugin.declared.decl.platforms;
    let Some(given) = row.plugin.as_ref().filter(|_| !platforms.is_empty() && !platforms.iter().any(|platform| platform.value == TARGET))
    else {
        return;
    };
    let names = quoted(platforms.iter().map(|platform| platform.value.as_str()));
    problems.report(
        Diagnostic::new(&RULE, format!("plugin `{}` does not run on `{TARGET}`", plugin.name))
            .at(&given.current.place, format!("runs on {names}"))
            .help(format!("disable the row, or mount a plugin that runs on `{TARGET}`")),
    );
}

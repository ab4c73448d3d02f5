//! A tool that no profile boots.

use crate::diagnostics::{Diagnostic, Rule};
use crate::index::PluginEntry;

/// The rule.
pub(crate) static RULE: Rule = Rule::error("DSH0505", "no profile of the workspace boots a tool", include_str!("unbooted_tool.md"));

/// Makes the diagnostic; `tool` is its name or the config field that gives it.
pub(crate) fn unbooted_tool(plugin: &PluginEntry, tool: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("no profile boots the tool `{tool}`"))
        .at(&plugin.declared.place, "this plugin has it")
        .help(format!("add a row with the plugin `{}` to a profile or a bundle in `profiles/`, or remove the tool", plugin.name))
}

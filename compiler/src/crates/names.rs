//! Names that crates from outside the workspace cannot have.

use super::rules;
use crate::diagnostics::Diagnostics;
use crate::index::{Metadata, RUNTIME, plugin_name};
use crate::load::{Named, Profile};
use crate::workspace::Workspace;

/// Reports names that are reserved, given twice or taken.
pub(super) fn check(workspace: &Workspace, own: &Metadata, profile: &Profile, problems: &mut Diagnostics) {
    let mut known: Vec<&Named> = Vec::new();
    for found in &profile.crates {
        let name = &found.name;
        let plugin = plugin_name(&name.text);
        let is_built = plugin.strip_prefix("agent-") == Some(&profile.name.text);
        let is_runtime = name.text == RUNTIME && !workspace.has_plugins();
        if (rules::is_reserved(plugin) || is_built) && !is_runtime {
            problems.report(rules::reserved_name(name));
        } else if let Some(member) = own.packages.iter().find(|package| package.member && package.name == name.text) {
            problems.report(rules::member(name, &workspace.relative(member.folder())));
        }
        match known.iter().find(|first| plugin_name(&first.text) == plugin) {
            Some(first) => problems.report(rules::same_plugin(plugin, name, first)),
            None => known.push(name),
        }
    }
}

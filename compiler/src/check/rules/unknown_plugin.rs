//! A plugin that is not there.

use crate::diagnostics::{Diagnostic, Place, Rule, nearest, quoted};
use crate::index::Index;

/// `DSH0201`
pub static RULE: Rule = Rule::error("DSH0201", "no plugin has the name that a row gives", include_str!("unknown_plugin.md"));

/// `place` is the name.
pub fn unknown_plugin(name: &str, place: &Place, index: &Index) -> Diagnostic {
    /// More names than this would bury the message.
    const MOST: usize = 100;
    let found = Diagnostic::new(&RULE, format!("no plugin is named `{name}`")).at(place, "no such plugin");
    let is_plugin = |package: &String| index.plugins.values().any(|plugin| plugin.declared.id.package == *package);
    let packages = [format!("dsh-{name}"), name.to_owned()];
    let package = packages.into_iter().find(|package| index.package_names.contains(package) && !is_plugin(package));
    let found = found.note_if(package.map(|package| format!("the package `{package}` declares no plugin")));
    let known: Vec<&str> = index.plugins.keys().map(String::as_str).collect();
    let without_prefix = name.strip_prefix("dsh-").filter(|name| known.contains(name));
    if let Some(near) = without_prefix.or_else(|| nearest(name, known.iter().copied())) {
        return found.help(format!("a plugin with a similar name exists: `{near}`"));
    }
    match known.len() {
        0 => found.note("the workspace has no plugins"),
        1..=MOST => found.note(format!("known plugins: {}", quoted(known.iter().copied()))),
        count => found.note(format!("{count} plugins are known")),
    }
}

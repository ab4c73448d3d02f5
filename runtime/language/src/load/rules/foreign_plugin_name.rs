//! Plugin names of the reference implementation.

use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::load::node::Key;
use crate::load::reading::is_name;

/// `DSH0117`
pub static RULE: Rule = Rule::error("DSH0117", "`name` does not name a plugin", include_str!("foreign_plugin_name.md"));

/// A package that is not read.
pub fn foreign_plugin_name(name: &str, place: &Place) -> Diagnostic {
    let found = Diagnostic::new(&RULE, format!("no plugin stands for the package `{name}`"));
    found.at(place, "only `@deepseek-ai/dsh-…` is read").help(match is_name(name) {
        true => format!("a row names its plugin with `plugin: {name}`"),
        false => "write `plugin: …` with the name of a plugin".to_owned(),
    })
}

/// The same said twice.
pub fn name_and_plugin(name: &Key, plugin: &Key) -> Diagnostic {
    Diagnostic::new(&RULE, "a row has both `name` and `plugin`")
        .at(&name.place, "the plugin in the reference's spelling")
        .and(&plugin.place, "the plugin")
        .help("remove `name`")
}

//! A config type that cannot be found.

use crate::check::config::{FieldAt, PluginAt};
use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::schema::ItemId;

/// `DSH0218`
pub static RULE: Rule =
    Rule::error("DSH0218", "a config has a type that is not declared as one", include_str!("undeclared_config_type.md"));

/// `name` is the type as the field names it.
pub fn undeclared_config_type(at: &FieldAt<'_>, name: &str, plugin: PluginAt<'_>) -> Diagnostic {
    Diagnostic::new(&RULE, format!("the type `{name}` of config field `{}` is not declared in package `{}`", at.path, at.package))
        .at_if(plugin.place, || format!("plugin `{}` has this field in its config", plugin.name))
        .help(format!("put `#[config]` on `{name}`, and name it without renaming"))
}

/// `item`, the plugin's config type, is not a struct. `place` is the row's config, or what stands for it.
pub fn config_is_no_struct(place: &Place, item: &ItemId, plugin: PluginAt<'_>) -> Diagnostic {
    Diagnostic::new(&RULE, format!("plugin `{}` takes a config that is not a `#[config]` struct", plugin.name))
        .at(place, format!("its config type is `{}`", item.name))
        .and_if(plugin.place, "the plugin")
        .help(format!("put `#[config]` on a struct `{}` with named fields", item.name))
}

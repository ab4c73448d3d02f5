//! A default that its field cannot have.

use crate::check::config::{FieldAt, PluginAt};
use crate::diagnostics::{Diagnostic, Rule};

/// `DSH0219`
pub static RULE: Rule = Rule::error("DSH0219", "the default of a config field is not of its type", include_str!("unusable_default.md"));

/// A default that is not of the field's type.
pub fn unusable_default(at: &FieldAt<'_>, plugin: PluginAt<'_>) -> Diagnostic {
    declared_at(Diagnostic::new(&RULE, format!("the default of config field `{}` is not of its type", at.path)), plugin)
        .help("give a default that the type has, such as `{}` for a nested config or the word of a variant")
}

/// A default of a type that holds itself by default.
pub fn endless_default(at: &FieldAt<'_>, name: &str, plugin: PluginAt<'_>) -> Diagnostic {
    declared_at(Diagnostic::new(&RULE, format!("the default of config field `{}` has no end", at.path)), plugin)
        .note(format!("`{name}` holds itself by default"))
        .help("make one of the fields on the way an `Option` or a list")
}

fn declared_at(found: Diagnostic, plugin: PluginAt<'_>) -> Diagnostic {
    found.at_if(plugin.place, || format!("plugin `{}` has this field in its config", plugin.name))
}

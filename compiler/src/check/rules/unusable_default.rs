//! A default that its field cannot have.

use crate::check::config::FieldAt;
use crate::diagnostics::{Diagnostic, Rule};
use crate::index::PluginEntry;

/// `DSH0219`
pub static RULE: Rule = Rule::error(
    "DSH0219",
    "the default of a config field is not of its type",
    "A default is a literal of the field's type; `{}` for a nested config, the kebab-case word of a variant for an enum.",
);

/// The field whose default cannot be used.
pub fn unusable_default(at: &FieldAt<'_>, plugin: &PluginEntry) -> Diagnostic {
    let place = &plugin.declared.place;
    Diagnostic::new(&RULE, format!("the default of config field `{}` is not of its type", at.path))
        .note(format!("plugin `{}` is declared at {}:{}:{}", plugin.name, place.file.display(), place.line, place.column))
        .help("give a default that the type has, such as `{}` for a nested config or the word of a variant")
}

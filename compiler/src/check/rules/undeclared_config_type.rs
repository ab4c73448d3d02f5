//! A config type that cannot be found.

use crate::check::config::FieldAt;
use crate::diagnostics::{Diagnostic, Rule};
use crate::index::PluginEntry;

/// `DSH0218`
pub static RULE: Rule = Rule::error(
    "DSH0218",
    "a config field has a type that is not declared",
    "A nested config type is a `#[config]` type of the same package, called by its own name (not by one that `use … as` gives it).",
);

/// `name` is the type as the field names it.
pub fn undeclared_config_type(at: &FieldAt<'_>, name: &str, plugin: &PluginEntry) -> Diagnostic {
    let place = &plugin.declared.place;
    Diagnostic::new(&RULE, format!("the type `{name}` of config field `{}` is not declared in package `{}`", at.path, at.package))
        .note(format!("plugin `{}` is declared at {}:{}:{}", plugin.name, place.file.display(), place.line, place.column))
        .help(format!("put `#[config]` on `{name}`, and name it without renaming"))
}

//! A plugin that rustc refuses.

use crate::diagnostics::{Diagnostic, Rule};
use crate::resolve::Row;

/// `DSH0503`
pub(crate) static RULE: Rule = Rule::error("DSH0503", "a plugin does not compile", include_str!("plugin_does_not_compile.md"));

/// `row` mounts the plugin of `package`; it comes with its id.
pub(crate) fn plugin_does_not_compile(plugin: &str, package: &str, row: Option<(&str, &Row)>) -> Diagnostic {
    let found = Diagnostic::new(&RULE, format!("plugin `{plugin}` does not compile"));
    let mounted = row.and_then(|(id, row)| Some((id, &row.plugin.as_ref()?.current.place)));
    let found = match mounted {
        Some((id, place)) => found.at(place, format!("row `{id}` mounts it")),
        None => found,
    };
    found.note(format!("what rustc says of the package `{package}` stands above")).help("mend the crate and build again")
}

/// A crate that declares services or events and has no plugin; `users` are the plugins that need it.
pub(crate) fn definition_does_not_compile(package: &str, users: &[&str]) -> Diagnostic {
    Diagnostic::new(&RULE, format!("the definitions of `{package}` do not compile"))
        .note("what rustc says of it stands above")
        .note(format!("needed by {}", crate::diagnostics::quoted(users.iter().copied())))
        .help("mend the crate and build again")
}

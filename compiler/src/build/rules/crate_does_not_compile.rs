//! A crate without a plugin that rustc refuses.

use crate::diagnostics::{Diagnostic, Rule};

/// `DSH0504`
pub(crate) static RULE: Rule =
    Rule::environment("DSH0504", "a crate that plugins need does not compile", include_str!("crate_does_not_compile.md"));

/// `users` are the plugins that need it.
pub(crate) fn crate_does_not_compile(package: &str, users: &[&str]) -> Diagnostic {
    let found = Diagnostic::new(&RULE, format!("the crate `{package}` does not compile"));
    let found = found.note("what cargo says of it stands above");
    match users {
        [] => found,
        users => found.note(format!("needed by {}", crate::diagnostics::quoted(users.iter().copied()))),
    }
}

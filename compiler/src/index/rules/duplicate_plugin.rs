//! Two packages whose plugins would have one name.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule::error("DSH0409", "two packages give one plugin name", include_str!("duplicate_plugin.md"));

/// Makes the diagnostic.
pub(crate) fn duplicate_plugin(name: &str, packages: [&str; 2], at: &Place, first: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, format!("two packages are the plugin `{name}`: `{}` and `{}`", packages[0], packages[1]))
        .at(at, "this one")
        .and(first, "and this one")
        .help("rename one of the packages, or remove it from the workspace's dependencies")
}

//! A crate with a name that the product needs itself.

use crate::diagnostics::{Diagnostic, Rule};
use crate::load::Named;

/// `DSH0128`
pub(crate) static RULE: Rule = Rule::error("DSH0128", "a crate has a reserved name", include_str!("reserved_name.md"));

const RESERVED: [&str; 9] = ["build", "declare", "macros", "runtime", "expression", "language", "schema", "testkit", "failpoints"];

/// Whether no plugin can have this name.
pub(crate) fn is_reserved(plugin: &str) -> bool {
    RESERVED.contains(&plugin)
}

/// The crate.
pub(crate) fn reserved_name(name: &Named) -> Diagnostic {
    Diagnostic::new(&RULE, format!("no plugin crate can be called `{}`", name.text))
        .at(&name.place, "a reserved name")
        .help("give the crate another name")
}

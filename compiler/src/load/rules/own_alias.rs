//! An alias that says nothing.

use crate::diagnostics::{Diagnostic, Rule};
use dsh_language::load::Named;

/// `DSH0118`
pub static RULE: Rule = Rule::error("DSH0118", "an alias is the profile's own name", include_str!("own_alias.md"));

/// The alias.
pub fn own_alias(alias: &Named) -> Diagnostic {
    Diagnostic::new(&RULE, format!("alias `{}` is the profile's own name", alias.text))
        .at(&alias.place, "accepted without an alias")
        .help("remove it")
}

//! A variable that may not be set and is compared.

use crate::check::Unset;
use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0225`
pub static RULE: Rule =
    Rule::warning("DSH0225", "an expression compares a variable that may not be set", include_str!("unset_variable.md"));

/// `place` is the side of the comparison.
pub fn unset_variable(place: &Place, unset: &Unset) -> Diagnostic {
    Diagnostic::new(&RULE, format!("`{}` is compared and may not be set", unset.name))
        .at(place, "the binary does not start where it is not set")
        .help(format!("give it a value for there: `{}`", unset.mended))
}

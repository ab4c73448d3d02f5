//! The table of the rules of this crate.

use crate::diagnostics::Rule;

/// Every rule that a binary and the compiler have in common; whoever adds rules of its own keeps codes unique.
#[must_use]
pub fn rules() -> Vec<&'static Rule> {
    [crate::load::rules::ALL, crate::resolve::rules::ALL, crate::check::rules::ALL, crate::overlay::rules::ALL]
        .into_iter()
        .flatten()
        .copied()
        .collect()
}

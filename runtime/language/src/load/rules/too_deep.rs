//! Values nested beyond any use.

use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::load::yaml::MAX_DEPTH;

/// `DSH0011`
pub static RULE: Rule = Rule::error("DSH0011", "lists and mappings are nested too deep", include_str!("too_deep.md"));

/// `place` is the first value that is too deep.
pub fn too_deep(place: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, "values are nested too deep").at(place, format!("deeper than {MAX_DEPTH} levels"))
}

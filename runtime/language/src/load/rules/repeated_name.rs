//! A name listed twice.

use crate::diagnostics::{Diagnostic, Rule};
use crate::load::reading::Named;

/// `DSH0109`
pub static RULE: Rule = Rule::error("DSH0109", "a list of names holds one of them twice", include_str!("repeated_name.md"));

/// `list` is the key of the list, in backticks.
pub fn repeated_name(list: &str, again: &Named, first: &Named) -> Diagnostic {
    Diagnostic::new(&RULE, format!("`{}` is listed twice in {list}", again.text))
        .at(&again.place, "listed again here")
        .and(&first.place, "first listed here")
        .help("remove one of the two")
}

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

/// A bundle of the composition that a preset lists too.
pub fn repeated_bundle(preset: &str, again: &Named, first: &Named) -> Diagnostic {
    Diagnostic::new(&RULE, format!("bundle `{}` of preset `{preset}` is one of the profile already", again.text))
        .at(&again.place, "listed again here")
        .and(&first.place, "first listed here")
        .note("a preset adds rows to those of the profile, which its agents have too")
        .help("remove it from the preset")
}

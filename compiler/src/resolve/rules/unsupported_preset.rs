//! Presets, which this version cannot build.

use crate::diagnostics::{Diagnostic, Rule};
use crate::load::Named;

/// `DSH0132`
pub static RULE: Rule = Rule::error(
    "DSH0132",
    "presets are not supported by this version",
    "A preset is a composition that an agent may select inside a running binary. This compiler reads presets but cannot build them yet. \
     A profile of its own for each gives one binary each.",
);

/// The preset.
pub fn unsupported_preset(name: &Named) -> Diagnostic {
    Diagnostic::new(&RULE, "presets are not supported by this version").at(&name.place, "a preset").help("make it a profile of its own")
}

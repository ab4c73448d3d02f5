//! A type that holds itself through others.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule::error("DSH0415", "a config or argument type holds itself", include_str!("recursive_type.md"));

/// Makes the diagnostic; `names` is the loop, the first type again at its end.
pub(crate) fn recursive_type(at: &Place, names: &[String]) -> Diagnostic {
    Diagnostic::new(&RULE, format!("the type `{}` holds itself", names[0]))
        .at(at, "declared here")
        .note(names.join(" -> "))
        .help("give the inner value a type of its own, or take it as a string")
}

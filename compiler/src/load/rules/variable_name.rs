//! A variable that no expression could name.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0141`
pub static RULE: Rule = Rule::error("DSH0141", "a name under `set` is not that of a variable", include_str!("variable_name.md"));

/// `place` is the name's.
pub fn variable_name(name: &str, place: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, format!("`{name}` is not the name of an environment variable"))
        .at(place, "not such a name")
        .note("`set` says what expressions see as `env.NAME`: a letter or `_`, then letters, digits and `_`")
        .help("a field of a config is given where the row is, or by a change under `patch`")
}

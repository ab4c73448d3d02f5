//! Conditions that are only known where the binary runs, which this version cannot build.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0135`
pub static RULE: Rule = Rule::error(
    "DSH0135",
    "a `disabled` that reads the machine is not supported by this version",
    "A row whose `disabled` depends on the machine needs a graph that holds with it and without it. This compiler evaluates `disabled` \
     over constants (`true`, `false`, `profile`) and cannot build other conditions yet.",
);

/// `place` is the expression.
pub fn unsupported_condition(place: &Place, row: &str) -> Diagnostic {
    Diagnostic::new(&RULE, "a `disabled` that reads the machine is not supported by this version")
        .at(place, format!("whether row `{row}` mounts is only known where the binary runs"))
        .help("write `true` or `false`; a patch given with `--patch` can change it for one build")
}

//! A switch with which the rows of the binary would not hold together.

use crate::diagnostics::{Diagnostic, Rule};
use crate::overlay::Switched;

/// `DSH0704`
pub static RULE: Rule =
    Rule::error("DSH0704", "an overlay switches a row on or off, and the graph would not hold", include_str!("broken_graph.md"));

/// `what` says what would not hold.
pub fn broken_graph(switched: &Switched, what: String, profile: &str) -> Diagnostic {
    let label = if switched.disabled { "switched off here" } else { "switched on here" };
    let check = format!("dsh-build check --profile {profile} --patch {}", switched.key.file.name());
    let way_out = format!("take the switch back, or switch the rows that go with it too: `{check}` names them");
    Diagnostic::new(&RULE, what).at(&switched.key, label).help(way_out)
}

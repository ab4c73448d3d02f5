//! More conditions than combinations can be checked of.

use crate::check::condition::{Conditions, MOST_CONDITIONS};
use crate::diagnostics::{Diagnostic, Rule};

/// `DSH0221`
pub static RULE: Rule = Rule::error("DSH0221", "a composition has too many conditions", include_str!("too_many_conditions.md"));

/// The conditions, more than are allowed.
pub fn too_many_conditions(conditions: &Conditions) -> Diagnostic {
    let mut found = Diagnostic::new(&RULE, format!("{} conditions, at most {MOST_CONDITIONS} are possible", conditions.len()));
    for (at, (_, place)) in conditions.iter().enumerate().skip(MOST_CONDITIONS) {
        let label = format!("number {}", at + 1);
        found = if at == MOST_CONDITIONS { found.at(place, label) } else { found.and(place, label) };
    }
    let earlier = conditions.iter().take(MOST_CONDITIONS).map(|(text, place)| format!("`{text}` ({})", place.file_line()));
    found
        .note(format!("the first {MOST_CONDITIONS} are {}", earlier.collect::<Vec<_>>().join(", ")))
        .help("put rows that are off together into one group with one condition, or make two profiles")
}

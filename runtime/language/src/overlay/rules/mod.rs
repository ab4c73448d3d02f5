//! What an overlay of a finished binary can break. One rule a file.

mod broken_graph;
mod machine_expression;
mod not_carried;
mod not_honoured;
mod sealed;

pub use broken_graph::broken_graph;
pub use machine_expression::{machine_condition, machine_expression};
pub use not_carried::not_carried;
pub use not_honoured::{inserts, not_honoured};

use crate::diagnostics::{Place, Rule, SourceFile};

/// The rules of this folder, by code.
pub const ALL: &[&Rule] = &[&not_honoured::RULE, &not_carried::RULE, &machine_expression::RULE, &broken_graph::RULE, &sealed::RULE];

/// The build that honours what a finished binary cannot.
fn build(profile: &str, place: &Place) -> String {
    let file: &SourceFile = &place.file;
    format!("build it in: `dsh-build --profile {profile} --patch {}`", file.name())
}

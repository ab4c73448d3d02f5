//! What layers can break. One rule a file.

mod absent_neighbour;
mod absent_row;
mod duplicate_row;
mod not_a_group;

pub use absent_neighbour::absent_neighbour;
pub use absent_row::{Elsewhere, absent_row};
pub use duplicate_row::duplicate_row;
pub use not_a_group::{group_as_plugin, not_a_group};

use crate::diagnostics::Rule;

/// The rules of this folder, by code.
pub const ALL: &[&Rule] = &[&absent_row::RULE, &duplicate_row::RULE, &absent_neighbour::RULE, &not_a_group::RULE];

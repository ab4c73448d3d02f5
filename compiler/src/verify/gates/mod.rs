//! The gates, one a file, in the order of their codes.

mod decision_pages;
mod dependency_directions;
mod doc_links;
mod file_sizes;
mod plugin_readmes;
mod resolved_specs;
mod seams_used;
mod unsafe_reasons;

use super::Gate;

/// All of them. The suite asks for a case that breaks each.
static ALL: &[&Gate] = &[
    &dependency_directions::GATE,
    &doc_links::GATE,
    &decision_pages::GATE,
    &plugin_readmes::GATE,
    &resolved_specs::GATE,
    &seams_used::GATE,
    &unsafe_reasons::GATE,
    &file_sizes::GATE,
];

/// Every gate, by code.
#[must_use]
pub fn gates() -> &'static [&'static Gate] {
    ALL
}

//! The gates, one a file, in the order of their codes.

mod coverage;
mod decision_pages;
mod definitions_pure;
mod dependency_directions;
mod disposed_registries;
mod doc_budgets;
mod doc_items;
mod doc_links;
mod doc_paths;
mod doc_types;
mod docs_complete;
mod documented_items;
mod duplication;
mod event_table;
mod expression_ownership;
mod file_sizes;
mod generated_files;
mod invariants_stated;
mod leads_to;
mod licences;
mod manifest_place;
mod manifests;
mod mounted_plugins;
mod notices;
mod packages;
mod panics_proved;
mod plugin_readmes;
mod private_paths;
mod resolved_specs;
mod rust_words;
mod seams_complete;
mod seams_used;
mod secrets_unprintable;
mod unsafe_reasons;
mod unused_dependencies;

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
    &unused_dependencies::GATE,
    &manifests::GATE,
    &seams_complete::GATE,
    &definitions_pure::GATE,
    &invariants_stated::GATE,
    &mounted_plugins::GATE,
    &doc_budgets::GATE,
    &private_paths::GATE,
    &panics_proved::GATE,
    &documented_items::GATE,
    &licences::GATE,
    &generated_files::GATE,
    &doc_paths::GATE,
    &docs_complete::GATE,
    &doc_types::GATE,
    &expression_ownership::GATE,
    &secrets_unprintable::GATE,
    &duplication::GATE,
    &disposed_registries::GATE,
    &event_table::GATE,
    &packages::GATE,
    &notices::GATE,
    &coverage::GATE,
    &doc_items::GATE,
];

/// Every gate, by code.
#[must_use]
pub fn gates() -> &'static [&'static Gate] {
    ALL
}

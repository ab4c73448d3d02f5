//! What a row's config and the graph can break. One rule a file.

mod cycle;
mod dead_row;
mod duplicate_tool;
mod duplicate_verb;
mod isolate_without_group;
mod isolated_key;
mod missing_service;
mod missing_tool_registry;
mod platform;
mod preset_entry;
mod set_secret;
mod taken_package;
mod taken_twice;
mod too_many_conditions;
mod two_providers;
mod two_servers;
mod unheard_event;
mod unknown_plugin;
mod unusable_tool;
mod unused_service;

pub use cycle::cycles;
pub use dead_row::dead_rows;
pub use duplicate_tool::duplicate_tools;
pub use duplicate_verb::duplicate_verbs;
pub use isolate_without_group::isolate_without_group;
pub use isolated_key::isolated_keys;
pub use missing_service::missing_services;
pub use missing_tool_registry::missing_tool_registry;
pub use platform::platform;
pub use preset_entry::preset_entries;
pub use set_secret::{secrets_of, set_secrets};
pub use taken_package::taken_package;
pub use taken_twice::taken_twice;
pub use too_many_conditions::too_many_conditions;
pub use two_providers::two_providers;
pub use two_servers::two_servers;
pub use unheard_event::unheard_events;
pub use unknown_plugin::unknown_plugin;
pub use unusable_tool::unusable_tools;
pub use unused_service::unused_services;

use crate::diagnostics::Rule;

/// The rules of this folder, by code.
pub const ALL: &[&Rule] = &[
    &taken_package::RULE,
    &unknown_plugin::RULE,
    &platform::RULE,
    &too_many_conditions::RULE,
    &isolate_without_group::RULE,
    &missing_service::RULE,
    &two_providers::RULE,
    &cycle::RULE,
    &missing_tool_registry::RULE,
    &duplicate_tool::RULE,
    &two_servers::RULE,
    &duplicate_verb::RULE,
    &dead_row::RULE,
    &unusable_tool::RULE,
    &unheard_event::RULE,
    &unused_service::RULE,
    &isolated_key::RULE,
    &preset_entry::RULE,
    &set_secret::RULE,
    &taken_twice::RULE,
];

//! What a row's config and the graph can break. One rule a file.

mod config_of_none;
mod constant_expression;
mod cycle;
mod dead_row;
mod duplicate_tool;
mod duplicate_verb;
mod empty_value;
mod expression_not_allowed;
mod expression_syntax;
mod isolate_without_group;
mod isolated_key;
mod missing_field;
mod missing_service;
mod missing_tool_registry;
mod not_one_of;
mod null_value;
mod out_of_bounds;
mod platform;
mod preset_entry;
mod secret_literal;
mod string_expression;
mod taken_package;
mod too_many_conditions;
mod two_providers;
mod two_servers;
mod undeclared_config_type;
mod unheard_event;
mod unknown_expression_name;
mod unknown_field;
mod unknown_filter;
mod unknown_plugin;
mod unknown_word;
mod unusable_default;
mod unusable_tool;
mod unused_service;
mod wrong_type;

pub use config_of_none::{config_of_none, is_empty_config};
pub use constant_expression::constant_expression;
pub use cycle::cycles;
pub use dead_row::dead_rows;
pub use duplicate_tool::duplicate_tools;
pub use duplicate_verb::duplicate_verbs;
pub use empty_value::{blank_value, empty_value};
pub use expression_not_allowed::expression_not_allowed;
pub use expression_syntax::expression_syntax;
pub use isolate_without_group::isolate_without_group;
pub use isolated_key::isolated_keys;
pub use missing_field::missing_field;
pub use missing_service::missing_services;
pub use missing_tool_registry::missing_tool_registry;
pub use not_one_of::not_one_of;
pub use null_value::null_value;
pub use out_of_bounds::out_of_bounds;
pub use platform::platform;
pub use preset_entry::preset_entries;
pub use secret_literal::{is_variable_name, secret_literal};
pub use string_expression::{string_condition, string_expression};
pub use taken_package::taken_package;
pub use too_many_conditions::too_many_conditions;
pub use two_providers::two_providers;
pub use two_servers::two_servers;
pub use undeclared_config_type::{config_is_no_struct, undeclared_config_type};
pub use unheard_event::unheard_events;
pub use unknown_expression_name::unknown_expression_name;
pub use unknown_field::unknown_field;
pub use unknown_filter::{method_call, unknown_filter, unknown_test};
pub use unknown_plugin::unknown_plugin;
pub use unknown_word::unknown_word;
pub use unusable_default::{endless_default, unusable_default};
pub use unusable_tool::unusable_tools;
pub use unused_service::unused_services;
pub use wrong_type::wrong_type;

use crate::diagnostics::Rule;

/// The rules of this folder, by code.
pub const ALL: &[&Rule] = &[
    &taken_package::RULE,
    &unknown_plugin::RULE,
    &config_of_none::RULE,
    &unknown_field::RULE,
    &wrong_type::RULE,
    &missing_field::RULE,
    &out_of_bounds::RULE,
    &not_one_of::RULE,
    &empty_value::RULE,
    &unknown_word::RULE,
    &null_value::RULE,
    &secret_literal::RULE,
    &expression_syntax::RULE,
    &expression_not_allowed::RULE,
    &unknown_expression_name::RULE,
    &unknown_filter::RULE,
    &constant_expression::RULE,
    &platform::RULE,
    &undeclared_config_type::RULE,
    &unusable_default::RULE,
    &string_expression::RULE,
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
];

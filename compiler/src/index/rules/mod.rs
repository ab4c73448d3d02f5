//! Rules about plugin sources, codes `DSH04xx`. Each has a file that also makes its diagnostic.

pub(crate) mod conditional_file;
pub(crate) mod declaration;
pub(crate) mod duplicate_declaration;
pub(crate) mod duplicate_plugin;
pub(crate) mod foreign_config;
pub(crate) mod foreign_name;
pub(crate) mod hidden_type;
pub(crate) mod metadata_refused;
pub(crate) mod missing_module;
pub(crate) mod missing_runtime;
pub(crate) mod module_path;
pub(crate) mod no_runtime;
pub(crate) mod reach_field;
pub(crate) mod recursive_type;
pub(crate) mod syntax_error;
pub(crate) mod tool_field;
pub(crate) mod two_plugins;
pub(crate) mod two_versions;
pub(crate) mod unknown_name;
pub(crate) mod unreadable_source;
pub(crate) mod wrong_kind;

use crate::diagnostics::Rule;

/// All of them.
pub const ALL: &[&Rule] = &[
    &conditional_file::RULE,
    &declaration::RULE,
    &duplicate_declaration::RULE,
    &duplicate_plugin::RULE,
    &foreign_config::RULE,
    &foreign_name::RULE,
    &hidden_type::RULE,
    &metadata_refused::RULE,
    &missing_module::RULE,
    &missing_runtime::RULE,
    &module_path::RULE,
    &no_runtime::RULE,
    &reach_field::RULE,
    &recursive_type::RULE,
    &syntax_error::RULE,
    &tool_field::RULE,
    &two_plugins::RULE,
    &two_versions::RULE,
    &unknown_name::RULE,
    &unreadable_source::RULE,
    &wrong_kind::RULE,
];

//! What a file or a patch list can break. One rule a file.

mod anchor;
mod bad_name;
mod complex_key;
mod control_character;
mod duplicate_key;
mod empty_change;
mod empty_file;
mod entry_kind;
mod file_too_large;
mod foreign_plugin_name;
mod group_or_plugin;
mod javascript;
mod misplaced_expression;
mod missing_key;
mod not_utf8;
mod repeated_file;
mod repeated_name;
mod second_document;
mod tag;
mod too_deep;
mod two_positions;
mod unknown_key;
mod unreadable_file;
mod wrong_kind;
mod yaml_syntax;

pub use anchor::{alias, anchor, merge};
pub use bad_name::bad_name;
pub use complex_key::complex_key;
pub use control_character::control_character;
pub use duplicate_key::duplicate_key;
pub use empty_change::empty_change;
pub use empty_file::empty_file;
pub use entry_kind::{insert_and_id, neither_insert_nor_id};
pub use file_too_large::file_too_large;
pub use foreign_plugin_name::{foreign_plugin_name, name_and_plugin};
pub use group_or_plugin::group_or_plugin;
pub use javascript::javascript;
pub use misplaced_expression::misplaced_expression;
pub use missing_key::missing_key;
pub use not_utf8::not_utf8;
pub use repeated_file::repeated_file;
pub use repeated_name::{repeated_bundle, repeated_name};
pub use second_document::second_document;
pub use tag::{expression_of_many, tag};
pub use too_deep::too_deep;
pub use two_positions::two_positions;
pub use unknown_key::{meant_key, unknown_key};
pub use unreadable_file::unreadable_file;
pub use wrong_kind::{unquoted_tag, wrong_kind};
pub use yaml_syntax::yaml_syntax;

use crate::diagnostics::Rule;

/// The rules of this folder, by code.
pub const ALL: &[&Rule] = &[
    &unreadable_file::RULE,
    &not_utf8::RULE,
    &control_character::RULE,
    &yaml_syntax::RULE,
    &duplicate_key::RULE,
    &anchor::RULE,
    &tag::RULE,
    &javascript::RULE,
    &second_document::RULE,
    &empty_file::RULE,
    &too_deep::RULE,
    &complex_key::RULE,
    &file_too_large::RULE,
    &misplaced_expression::RULE,
    &unknown_key::RULE,
    &wrong_kind::RULE,
    &missing_key::RULE,
    &bad_name::RULE,
    &repeated_name::RULE,
    &entry_kind::RULE,
    &two_positions::RULE,
    &group_or_plugin::RULE,
    &empty_change::RULE,
    &foreign_plugin_name::RULE,
    &repeated_file::RULE,
];

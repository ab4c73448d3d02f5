//! What a row's config can break. One rule a file.

mod config_of_none;
mod constant_expression;
mod empty_value;
mod expression_not_allowed;
mod expression_syntax;
mod literal_reference;
mod missing_field;
mod never_equal;
mod not_one_of;
mod null_value;
mod out_of_bounds;
mod secret_literal;
mod string_expression;
mod undeclared_config_type;
mod unknown_expression_name;
mod unknown_field;
mod unknown_filter;
mod unknown_word;
mod unset_variable;
mod unusable_default;
mod wrong_type;

pub use config_of_none::{config_of_none, is_empty_config};
pub use constant_expression::constant_expression;
pub use empty_value::{blank_value, empty_value};
pub use expression_not_allowed::expression_not_allowed;
pub use expression_syntax::expression_syntax;
pub use literal_reference::literal_reference;
pub use missing_field::missing_field;
pub use never_equal::never_equal;
pub use not_one_of::not_one_of;
pub use null_value::null_value;
pub use out_of_bounds::out_of_bounds;
pub use secret_literal::{is_variable_name, secret_literal};
pub use string_expression::{string_condition, string_expression};
pub use undeclared_config_type::{config_is_no_struct, undeclared_config_type};
pub use unknown_expression_name::unknown_expression_name;
pub use unknown_field::unknown_field;
pub use unknown_filter::{method_call, unknown_filter, unknown_test};
pub use unknown_word::unknown_word;
pub use unset_variable::unset_variable;
pub use unusable_default::{endless_default, unusable_default};
pub use wrong_type::wrong_type;

use crate::diagnostics::Rule;

/// The rules of this folder, by code.
pub const ALL: &[&Rule] = &[
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
    &undeclared_config_type::RULE,
    &unusable_default::RULE,
    &string_expression::RULE,
    &never_equal::RULE,
    &literal_reference::RULE,
    &unset_variable::RULE,
];

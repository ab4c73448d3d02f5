//! What a profile's `crates` can break. One rule a file.

mod apart;
mod member;
mod no_crate;
mod no_plugin;
mod other_package;
mod reserved_name;
mod same_plugin;
mod unavailable;
mod unused;

pub(super) use apart::apart;
pub(super) use member::{inside_workspace, member};
pub(super) use no_crate::{no_crate, unreadable_manifest};
pub(crate) use no_plugin::no_plugin;
pub(super) use other_package::other_package;
pub(crate) use reserved_name::{is_reserved, reserved_name};
pub(super) use same_plugin::same_plugin;
pub(super) use unavailable::unavailable;
pub(crate) use unused::unused;

use crate::diagnostics::Rule;

/// The rules of this folder, by code.
pub(crate) const ALL: &[&Rule] = &[
    &no_crate::RULE,
    &other_package::RULE,
    &unavailable::RULE,
    &no_plugin::RULE,
    &reserved_name::RULE,
    &unused::RULE,
    &member::RULE,
    &same_plugin::RULE,
    &apart::RULE,
];

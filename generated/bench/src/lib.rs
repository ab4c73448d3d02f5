// Made by `dsh-build sync bench`. Change the profile, not this file.
//! The agent of the profile `bench`: its plugins with their configuration, in the order in which they mount.

#[rustfmt::skip]
mod description;
#[rustfmt::skip]
mod wiring;

pub use description::DESCRIPTION;
pub use wiring::{IDENTITY, mount};

// Made by `dsh-build sync small`. Change the profile, not this file.
//! The agent of the profile `small`: its plugins with their configuration, in the order in which they mount.
//!
//! Another program runs it inside of itself with [`start`].

#[rustfmt::skip]
mod description;
#[rustfmt::skip]
mod wiring;

pub use description::DESCRIPTION;
pub use dsh_runtime::embed;
pub use wiring::{IDENTITY, mount};

/// Mounts the agent inside of the calling program, on a thread of its own.
///
/// # Errors
/// When a row does not mount.
pub fn start(host: embed::Host) -> Result<embed::Embedded, embed::EmbedError> {
    embed::Embedded::start(&IDENTITY, mount, host)
}

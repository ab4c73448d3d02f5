//! Waiting for descriptors.

use std::io;

use rustix::fd::OwnedFd;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// Registers a descriptor with the runtime, which then tells when it is ready.
#[allow(unsafe_code, reason = "tokio cannot know that a type gives the same descriptor every time")]
pub fn register(descriptor: OwnedFd, interest: Interest) -> io::Result<AsyncFd<OwnedFd>> {
    // SAFETY: an `OwnedFd` gives the same open descriptor for as long as it exists.
    unsafe { AsyncFd::register_with_interest(descriptor, interest) }.map_err(io::Error::from)
}

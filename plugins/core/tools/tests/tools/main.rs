//! The registry of tools and the stages of their calls, as plugins and the agents' driver see them.

mod calls;
mod cancellation;
mod declared;
mod invariants;
mod policies;
mod registration;
mod support;

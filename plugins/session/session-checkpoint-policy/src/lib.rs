//! Checkpoints: what follows from a session's log happens only once the log is durable.

mod checkpoint;
mod plugin;

pub use plugin::{Inject, SessionCheckpoints};

//! The verb `session`: what is stored, told and forked.

mod arguments;
mod forking;
mod listing;
mod plugin;
mod summary;
mod telling;
mod visible;

pub use plugin::{Inject, SessionVerb};

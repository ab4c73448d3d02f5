//! A model that says again what the model of a recorded session said, as long as it is asked the same.

mod adapter;
mod asked;
mod config;
mod difference;
mod plugin;
mod recording;
mod replay;

pub use config::Config;
pub use plugin::{Inject, ReplayedModel};

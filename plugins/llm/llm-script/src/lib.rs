//! A model whose replies are written in a file.

mod adapter;
mod chunks;
mod config;
mod conversation;
mod plugin;
mod script;

pub use config::Config;
pub use plugin::{Inject, ScriptedModel};
pub use script::ScriptError;

//! One task from the command line: the verb `run`.

mod command;
mod ending;
mod narration;
mod plugin;
mod progress;

pub use plugin::{Headless, Inject};

//! Runs one task from the command line: progress on standard error, the answer on standard output, the outcome as exit status.

mod arguments;
mod plugin;
mod printing;
mod progress;
mod task;
mod verdict;
mod watch;

pub use plugin::{Headless, Inject};

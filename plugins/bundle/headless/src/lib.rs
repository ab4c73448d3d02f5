//! Runs one task from the command line: progress on standard error, the answer on standard output, the outcome as exit status.

mod arguments;
mod bounds;
mod budget;
mod learned;
mod outcome;
mod patience;
mod plugin;
mod printing;
mod progress;
mod prompt;
mod records;
mod report;
mod run;
mod run_folder;
mod starting;
mod streams;
mod task;
mod verdict;
mod watch;

pub use plugin::{Headless, Inject};

//! The verb `export`: a stored session as a trajectory, and what its agent changed as a patch.

mod arguments;
mod atif;
mod error;
mod git;
mod log;
mod patch;
mod plain;
mod plugin;
mod prediction;

pub use plugin::{Inject, SessionExport};

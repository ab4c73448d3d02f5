//! The Service Definition of files: what a plugin that reads or changes files asks for, whatever machine holds them.
//!
//! A path is resolved once into an [`FsTarget`]; all other operations take the target, so that two names of one file share
//! one identity. The events let policies decide how a mutation is guarded and learn what an agent has seen.

mod error;
mod events;
mod file;
mod service;
mod target;
mod write;

pub use error::{FsError, FsErrorCode};
pub use events::{FsEditIntent, FsObserved, FsWriteIntent, IntentRequest, Observation, Observed};
pub use file::{DirEntry, FileKind, FileStat, Version};
pub use service::{Fs, MAX_TEXT_BYTES};
pub use target::{FsTarget, ResolveRequest, TargetKey};
pub use write::{EditRequest, Edited, WriteIntent, WriteOperation, WriteRequest, WriteScope, Written};

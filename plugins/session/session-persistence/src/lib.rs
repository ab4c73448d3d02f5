//! Stored sessions: finding, loading, and what can be wrong with them. How they are stored is the provider's matter.

mod error;
mod fork;
mod format;
mod inspection;
mod resumption;
mod service;

pub use error::PersistenceError;
pub use fork::{Fork, ForkError};
pub use format::{FORMAT_VERSION, is_known_type};
pub use inspection::{EventVisitor, Inspection, LogSource};
pub use resumption::{Claim, Resumption};
pub use service::{SessionPersistence, StoredSession};

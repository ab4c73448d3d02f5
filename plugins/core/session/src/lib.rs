//! Sessions: an append-only log of events is the only truth; model history is derived from it and never stored.

// The declaration macros name this crate by its public path.
extern crate self as dsh_session;

mod append;
pub mod catalogue;
mod check_events;
mod event;
mod header;
mod history;
mod invariant;
mod live;
mod repair;
mod request;
mod seed;
mod seed_fold;
mod session;
mod state;
mod store;
mod surface;

pub use append::AppendError;
pub use check_events::check_events;
pub use event::{EventData, SessionEvent, SurfaceData, SurfaceOp};
pub use header::{NewSession, Origin, SessionHeader};
pub use history::History;
pub use live::{Appended, Created, SessionCommitting, SessionCreated, SessionDisposed, SessionEventAppended, SessionFlush};
pub use repair::Repair;
pub use request::{AdapterDefaults, CallConfig, EpochHeader, ToolSchema};
pub use seed::Seed;
pub use seed_fold::{Folding, SeedFold, SeedFolds};
pub use session::Session;
pub use state::{OpenStep, SeedError};
pub use store::{Inject, SessionStore, StoreError};
pub use surface::SurfaceError;

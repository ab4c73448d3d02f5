//! Which files a session may change. One place answers: the deployment's mode and root, and the last switch in the session's log.

mod config;
mod event;
mod mode;
mod policy;
mod service;

pub use config::Config;
pub use event::{ModeSource, SandboxModeSet};
pub use mode::SandboxMode;
pub use policy::{Policy, SandboxPolicy};
pub use service::{Inject, SessionSandboxPolicy};

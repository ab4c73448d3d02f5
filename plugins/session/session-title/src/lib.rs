//! Names a session after its first prompt, once, in the log.

mod clean;
mod config;
mod event;
mod fallback;
mod titles;

pub use config::Config;
pub use event::{SessionTitle, TitleModel, TitleSource};
pub use titles::{Inject, SessionTitles};

//! Stores each session as a file of JSON lines: a header, then one line for each event or for a run of stream deltas.

mod admit;
mod closer;
mod config;
mod encoding;
mod frames;
mod header;
mod inspecting;
mod layout;
mod legacy;
mod lines;
mod listing;
mod loading;
mod log_file;
mod pack;
mod plugin;
mod reading;
mod refusal;
mod root;
mod row;
mod scan;
mod session_lock;
mod session_log;
mod store;
mod vocabulary;
mod weight;
mod window;
mod write_ahead;

pub use config::{Compression, Config};
pub use plugin::SessionPersistenceJsonl;

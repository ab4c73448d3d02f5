//! Serves agents to the SDK clients: JSON-RPC over standard input and output, one frame a line.

mod config;
mod cwd;
mod error;
mod frame;
mod initialize;
mod line_reader;
mod methods;
mod outbox;
mod params;
mod plugin;
mod serving;
mod slots;
mod writer;

pub use config::Config;
pub use plugin::{Inject, SdkJsonrpcServer};

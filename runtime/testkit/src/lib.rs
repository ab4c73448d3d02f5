//! For tests of plugins, ours and those of plugin authors: a harness that mounts plugins as a binary does, a fake agent over a
//! real session, a scripted model, and a model server on this machine. Only ever a dev-dependency.
//!
//! Its functions panic where a test could not go on.

mod agent;
mod call;
mod fuzz;
mod harness;
mod invariants;
mod model;
mod reply;
mod row;
mod server;
mod sessions;
mod tool;
mod tooling;

pub use agent::TestAgent;
pub use call::{call_request, call_tool, run_call};
pub use fuzz::{Change, changed, fuzz_cases, kept_inputs};
pub use harness::Harness;
pub use invariants::EveryInvariant;
pub use model::ScriptedModel;
pub use reply::Reply;
pub use server::{MockServer, RecordedRequest, Script, Step};
pub use sessions::{SessionTopics, Sessions};
pub use tool::{tool_body, tool_spec};
pub use tooling::{ToolTopics, Tooling};

/// Keeps the examples of the README true.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! The driver of agents: it creates them around a session, runs their turns and steps, schedules their tool calls and ends them
//! in order.

mod abort;
mod config;
mod driver;
mod ending;
mod events;
mod factory;
mod failure;
mod invariant;
mod loop_agent;
mod phase;
mod plugin;
mod proposal;
mod request;
mod runtime_context;
mod schedule;
mod step;
mod turn;

pub use config::Config;
pub use plugin::{AgentLoop, Inject};

//! Turns, steps, tool calls and the life of agents, seen from outside: logs, live events and model requests are compared whole.

mod cancel;
mod cancelled_calls;
mod creation;
mod ending;
mod failed_calls;
mod failed_requests;
mod failure;
mod header;
mod interrupted;
mod late_input;
mod max_tokens;
mod presets;
mod proposals;
mod resume;
mod runtime_context;
mod schedule;
mod stopping;
mod tool_results;
mod turns;
mod world;

//! Turns, steps, tool calls and the life of agents, seen from outside: logs, live events and model requests are compared whole.

mod cancel;
mod creation;
mod ending;
mod failure;
mod header;
mod max_tokens;
mod resume;
mod runtime_context;
mod schedule;
mod stopping;
mod tool_results;
mod turns;
mod world;

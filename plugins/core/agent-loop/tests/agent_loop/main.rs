//! Turns, steps, tool calls and the life of agents, seen from outside: logs, live events and model requests are compared whole.

mod cancel;
mod ending;
mod failure;
mod header;
mod max_tokens;
mod runtime_context;
mod schedule;
mod stopping;
mod turns;
mod world;

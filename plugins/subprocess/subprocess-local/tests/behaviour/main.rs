//! Real processes and terminals.

mod environment;
mod piped;
mod terminals;
mod trees;
mod world;

//! The registry, calls with their listeners and checks, and the assembly of replies.

mod assembler;
mod calls;
mod fake;
mod grammar;
mod registry;

//! Checkpoints of a real agent's turns, seen from outside: what happens before and after each flush, when one fails, and when it is
//! given up.

mod auxiliary;
mod failing;
mod given_up;
mod order;
mod tool_calls;
mod world;

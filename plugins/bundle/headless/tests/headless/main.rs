//! The verb as a person or a script sees it: what it prints and how it exits.

mod budgets;
mod ending;
mod keeping;
mod prompts;
mod recording;
mod running;
mod world;

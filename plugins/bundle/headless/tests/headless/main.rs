//! The verb as a person or a script sees it: what it prints and how it exits.

mod ending;
mod running;
mod world;

//! The tool in a composition, with a real bash.

mod background;
mod endings;
mod input;
mod output;
mod state;
mod world;

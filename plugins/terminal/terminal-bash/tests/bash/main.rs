//! Sessions with a real bash.

mod sandbox;
mod sends;
mod world;

//! The tool as the registry runs it, on real files.

mod change;
mod intents;
mod sandbox;
mod view;
mod world;

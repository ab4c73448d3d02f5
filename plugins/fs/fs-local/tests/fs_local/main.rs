//! The provider on real files.

mod edit;
mod list;
mod read;
mod resolve;
mod scope;
mod world;
mod write;

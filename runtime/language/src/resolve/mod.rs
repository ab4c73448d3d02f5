//! Applies layers: an empty list of rows, then each patch list in order, each key with the places that gave it.

mod apply;
mod row;
pub mod rules;

pub use apply::{Applied, apply};
pub use row::{Row, Setting};

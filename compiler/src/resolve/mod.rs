//! Applies layers: an empty list of rows, then bundles, the profile's patch and the patches of the command line, each key with the
//! places that gave it.

mod apply;
mod composition;
pub mod rules;

pub use apply::resolve;
pub use composition::{Composition, PresetRows, Row, Setting};

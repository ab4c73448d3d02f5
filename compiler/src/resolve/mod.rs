//! Applies layers: an empty list of rows, then bundles, the profile's patch and the patches of the command line, each key with the
//! places that gave it.

mod composition;
mod layers;
pub mod rules;

pub use composition::{Composition, PresetRows};
pub use dsh_language::resolve::{Row, Setting};
pub use layers::{of_bundles, resolve};

//! From files to what they say: finds the profile, its bundles and patches, reads their YAML with a place for every value, and
//! refuses what the language does not have.

mod entry;
mod find;
mod javascript;
mod layers;
mod node;
mod profile;
mod read;
mod reading;
mod row;
pub mod rules;
mod slip;
mod yaml;

pub use entry::{Change, Entry, Insert, Position, Relation};
pub use find::{find_bundle, known_bundles, known_profiles};
pub(crate) use javascript::translate as translate_javascript;
pub use layers::{CrateFolder, Layer, LoadRequest, Loaded, Origin, load, load_bundle, load_profile};
pub use node::{Key, Node, NodeKind};
pub use profile::{BuildDefaults, Crate, CrateSource, Preset, Profile};
pub use reading::{Named, is_name};
pub use row::{Given, RowSpec, Settings, Switch};
pub use yaml::{MAX_DEPTH, parse};

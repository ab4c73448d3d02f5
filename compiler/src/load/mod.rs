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
pub use find::{known_bundles, known_profiles};
pub use javascript::{
    Numbers, Untranslated, Use, literal, plugin_of_package, translate as translate_javascript, translate_for as translate_javascript_for,
};
pub use layers::{Layer, LoadRequest, Loaded, Origin, load, load_bundle};
pub use node::{Key, Node, NodeKind};
pub use profile::{BuildDefaults, Crate, CrateSource, Preset, Profile};
pub use read::read as read_text;
pub use reading::{Named, is_name};
pub use row::{Given, RowSpec, Settings, Switch};
pub use yaml::{MAX_DEPTH, parse};

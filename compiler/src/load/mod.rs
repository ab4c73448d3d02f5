//! From files to what they say: finds the profile, its bundles and patches, and reads them.

mod find;
mod layers;
mod profile;
pub mod rules;
mod settings;

pub use dsh_language::load::{
    Change, Entry, Given, Insert, Key, Layer, MAX_DEPTH, Named, Node, NodeKind, Numbers, Origin, Position, Relation, RowSpec, Settings,
    Switch, Untranslated, Use, is_name, literal, parse, plugin_of_package, read as read_text, translate_javascript,
    translate_javascript_for,
};
pub use find::{find_bundle, known_bundles, known_profiles};
pub use layers::{CrateFolder, LoadRequest, Loaded, load, load_bundle, load_profile};
pub use profile::{Crate, CrateSource, Preset, Profile};
pub use settings::{BuildFlags, BuildSettings, SetVariable};

//! From a file to what it says: reads YAML with a place for every value, types patch lists, and refuses what the language does not have.

mod entry;
mod javascript;
mod layer;
mod node;
mod read;
mod reading;
mod row;
pub mod rules;
mod slip;
mod yaml;

pub use entry::{Change, Entry, Insert, Position, Relation};
pub use javascript::{
    Numbers, Untranslated, Use, literal, plugin_of_package, translate as translate_javascript, translate_for as translate_javascript_for,
};
pub use layer::{Layer, Origin};
pub use node::{Key, Node, NodeKind};
pub use read::{MAX_BYTES, printable, read};
pub use reading::{Fields, Named, Reading, is_name};
pub use row::{Given, RowSpec, Settings, Switch};
pub use rules::unquoted_tag;
pub use yaml::{MAX_DEPTH, parse};

/// Name of a profile's file.
pub const PROFILE_FILE: &str = "profile.yml";

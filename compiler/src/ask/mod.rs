//! Answers to questions about profiles: what there is, where a part came from and who needs it, how two profiles differ, who takes
//! what from whom, and the rows as one document. Pure: each answer is made from stages that ran, and can be shown to readers and
//! serialized for programs.

mod config_field;
mod diff;
mod graph;
mod list;
mod needs;
mod parts;
mod show;
mod table;
mod unknown;
mod why;

pub use diff::Difference;
pub use graph::InjectGraph;
pub use list::{BundleLine, Bundles, PluginLine, Plugins, ProfileLine, Profiles};
pub use needs::{Loss, Need, User};
pub use parts::{Part, Written};
pub use show::Document;
pub use unknown::Unknown;
pub use why::{Answer, Why};

use crate::index::Index;
use crate::plan::Plan;
use crate::resolve::Composition;

/// A profile that was found right, in all the forms that an answer needs.
#[derive(Clone, Copy, Debug)]
pub struct Composed<'a> {
    /// Its rows with the places that gave each key.
    pub composition: &'a Composition,
    /// Who mounts when and takes what from whom.
    pub plan: &'a Plan,
    /// The declarations.
    pub index: &'a Index,
}

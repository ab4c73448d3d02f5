//! Patch lists in the order in which they apply.

use super::entry::Entry;

/// One patch list.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Where it comes from.
    pub origin: Origin,
    /// Its entries.
    pub entries: Vec<Entry>,
}

/// Where a layer comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The bundle of this name.
    Bundle(String),
    /// The profile's `patch`.
    Profile,
    /// The harness home's patch, which a binary reads.
    Home,
    /// A file of the command line.
    CommandLine,
}

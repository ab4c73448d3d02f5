//! The identity of a declared type.

use std::fmt;

/// Identity of a declaration: (package, type name). Displayed as `package::Type`, which is also its id at run time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ItemId {
    /// Cargo package.
    pub package: String,
    /// Type name.
    pub name: String,
}

impl fmt::Display for ItemId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}::{}", self.package, self.name)
    }
}

//! The environment of a child: what it inherits and what is changed.

use std::ffi::{OsStr, OsString};

use dsh_runtime::is_secret_name;

/// Changes to the inherited environment, applied in order; a later change of a name wins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnvironmentChanges(Vec<(OsString, Option<OsString>)>);

impl EnvironmentChanges {
    /// Nothing changed.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a variable, also one that would be withheld.
    #[must_use]
    pub fn set(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.0.push((name.into(), Some(value.into())));
        self
    }

    /// Removes a variable.
    #[must_use]
    pub fn remove(mut self, name: impl Into<OsString>) -> Self {
        self.0.push((name.into(), None));
        self
    }

    /// The changes in order.
    pub fn iter(&self) -> impl Iterator<Item = (&OsStr, Option<&OsStr>)> {
        self.0.iter().map(|(name, value)| (name.as_os_str(), value.as_deref()))
    }
}

/// Whether a variable is kept from children unless it is set explicitly: its name marks a secret, or it is the harness's own.
#[must_use]
pub fn is_withheld(name: &OsStr) -> bool {
    is_secret_name(name) || name.to_string_lossy().to_ascii_uppercase().starts_with("DSH_")
}

//! Limits on what an agent sees of the shared tools.

use dsh_runtime::MountError;

/// Which shared tools an agent sees. Its own tools are never limited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restriction {
    /// These and no others; all when absent.
    pub allow: Option<Vec<String>>,
    /// Not these.
    pub deny: Vec<String>,
}

impl Restriction {
    /// Whether it limits nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.allow.is_none() && self.deny.is_empty()
    }

    pub(crate) fn admits(&self, name: &str) -> bool {
        let named = |list: &[String]| list.iter().any(|other| other == name);
        self.allow.as_deref().is_none_or(named) && !named(&self.deny)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.allow.iter().flatten().chain(&self.deny)
    }
}

/// Why a restriction was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RestrictError {
    /// It limits nothing.
    #[error("a tool restriction names what it allows or denies")]
    Empty,
    /// No shared tool has the name.
    #[error("a tool restriction names `{name}`, which is no shared tool")]
    Unknown {
        /// The name.
        name: String,
    },
}

impl From<RestrictError> for MountError {
    fn from(error: RestrictError) -> Self {
        Self::new(error)
    }
}

//! Why an adapter cannot be registered.

use dsh_runtime::{ListenerError, MountError};

/// A refused registration.
#[derive(Debug, thiserror::Error)]
pub enum LlmError {
    /// `INVALID_ADAPTER`
    #[error("an adapter's provider id must not be blank")]
    InvalidAdapter,
    /// `DUPLICATE_ADAPTER`
    #[error("the provider `{0}` has an adapter already: one row per provider id")]
    DuplicateAdapter(String),
    /// A runtime check failed when the change was announced.
    #[error(transparent)]
    Refused(#[from] ListenerError),
}

impl LlmError {
    /// The error's code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidAdapter => "INVALID_ADAPTER",
            Self::DuplicateAdapter(_) => "DUPLICATE_ADAPTER",
            Self::Refused(ListenerError::Invariant(_)) => dsh_runtime::InvariantError::CODE,
            Self::Refused(ListenerError::Failed(_)) => "UNKNOWN",
        }
    }
}

impl From<LlmError> for MountError {
    fn from(error: LlmError) -> Self {
        Self::new(error)
    }
}

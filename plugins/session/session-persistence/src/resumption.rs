//! A stored session on its way to being live again.

use std::any::Any;

use dsh_session::{Seed, SessionHeader};

/// A session as it is taken up: folded while it was read, so that its log is never in memory as a whole.
pub struct Resumption {
    /// Its header.
    pub header: SessionHeader,
    /// Its log, closed where its writer died.
    pub seed: Seed,
    /// To be held until the session is published, or given up.
    pub claim: Claim,
}

/// Keeps every other writer away from a stored session that is not live yet. Dropping it lets the session go, unless the session
/// became live: then the store keeps it as long as it lives.
pub struct Claim {
    _held: Option<Box<dyn Any + Send + Sync>>,
}

impl Claim {
    /// A claim that lasts as long as `held`, which is the store's own matter.
    #[must_use]
    pub fn new(held: impl Any + Send + Sync) -> Self {
        Self { _held: Some(Box::new(held)) }
    }

    /// The claim of a store that keeps nobody away.
    #[must_use]
    pub fn none() -> Self {
        Self { _held: None }
    }
}

//! Scopes: authors see two levels, the whole binary and one agent.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::effect::EffectStack;

/// Identity of an agent's scope; never reused within a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScopeId(u64);

/// The scope of one agent. What is registered in it is seen by this agent alone and is undone when it closes.
#[derive(Clone)]
pub struct Scope {
    id: ScopeId,
    effects: Arc<EffectStack>,
}

impl Scope {
    /// Opens a scope.
    #[must_use]
    pub fn open(owner: &str) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self { id: ScopeId(NEXT.fetch_add(1, Ordering::Relaxed)), effects: Arc::new(EffectStack::new(owner)) }
    }

    /// Its identity.
    #[must_use]
    pub fn id(&self) -> ScopeId {
        self.id
    }

    /// What is undone when the scope closes.
    #[must_use]
    pub fn effects(&self) -> &EffectStack {
        &self.effects
    }
}

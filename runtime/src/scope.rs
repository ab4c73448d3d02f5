//! Scopes: authors see two levels, the whole binary and one agent. Between them stands the preset that the agent joined.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::effect::EffectStack;
use crate::presets::Preset;

fn next() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Identity of an agent's or a preset's scope; never reused within a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScopeId {
    own: u64,
    /// The preset that it is in.
    preset: Option<u64>,
}

impl ScopeId {
    /// A scope for a preset.
    pub(crate) fn of_preset() -> Self {
        Self { own: next(), preset: None }
    }

    /// The scope of the preset that the agent joined.
    #[must_use]
    pub fn preset(self) -> Option<Self> {
        self.preset.map(|own| Self { own, preset: None })
    }

    /// Whether what is registered in `scope` concerns this one: it is its own, its preset's, or the whole binary's.
    #[must_use]
    pub fn is_within(self, scope: Option<Self>) -> bool {
        scope.is_none() || scope == Some(self) || scope == self.preset()
    }
}

/// The scope of one agent. What is registered in it is seen by this agent alone and is undone when it closes.
#[derive(Clone)]
pub struct Scope {
    id: ScopeId,
    preset: Option<Preset>,
    effects: Arc<EffectStack>,
}

impl Scope {
    /// Opens a scope that is in no preset.
    #[must_use]
    pub fn open(owner: &str) -> Self {
        Self::open_in(None, owner)
    }

    /// Opens a scope, in a preset where one is joined. It stays there.
    #[must_use]
    pub fn open_in(preset: Option<Preset>, owner: &str) -> Self {
        let id = ScopeId { own: next(), preset: preset.map(|preset| preset.scope().own) };
        Self { id, preset, effects: Arc::new(EffectStack::new(owner)) }
    }

    /// The preset that it is in.
    #[must_use]
    pub fn preset(&self) -> Option<Preset> {
        self.preset
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

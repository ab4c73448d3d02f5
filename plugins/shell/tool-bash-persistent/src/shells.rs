//! The shells of all agents.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dsh_agent::Agent;
use dsh_runtime::ScopeId;

use crate::shell::Shell;

/// An agent's shell, while it has one; locked during a call.
pub type HeldShell = Arc<tokio::sync::Mutex<Option<Shell>>>;

/// One place for a shell per agent. The shells themselves are closed by the registry of terminals when their agent ends.
#[derive(Default)]
pub struct Shells {
    held: Arc<Mutex<BTreeMap<ScopeId, HeldShell>>>,
}

impl Shells {
    /// The place of an agent's shell; it is forgotten when the agent ends.
    pub fn of(&self, agent: &Arc<dyn Agent>) -> HeldShell {
        let owner = agent.scope().id();
        let mut held = lock(&self.held);
        if let Some(shell) = held.get(&owner) {
            return Arc::clone(shell);
        }
        let places = Arc::clone(&self.held);
        agent.scope().effects().push_sync(move || drop(lock(&places).remove(&owner)));
        Arc::clone(held.entry(owner).or_default())
    }
}

fn lock(held: &Mutex<BTreeMap<ScopeId, HeldShell>>) -> MutexGuard<'_, BTreeMap<ScopeId, HeldShell>> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

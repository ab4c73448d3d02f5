//! The repetitions so far of the calls that are being repeated.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use dsh_agent::RequestError;
use dsh_message::SessionId;

use crate::event::LlmRetry;

/// The last record of each chain, for the latest step of each session that repeated a call.
#[derive(Default)]
pub(crate) struct Chains(Mutex<BTreeMap<SessionId, Vec<LlmRetry>>>);

impl Chains {
    /// The last record of the chain that a failed call belongs to.
    pub(crate) fn last(&self, failed: &RequestError, policy_key: &str) -> Option<LlmRetry> {
        let chain = (failed.turn, failed.step, &*failed.provider, policy_key);
        self.lock().get(&failed.agent.session().header().id)?.iter().find(|held| held.chain() == chain).cloned()
    }

    /// Takes a record in that was logged. Earlier steps are over and forgotten.
    pub(crate) fn advance(&self, session: &SessionId, record: LlmRetry) {
        let mut chains = self.lock();
        let held = chains.entry(session.clone()).or_default();
        held.retain(|other| (other.turn, other.step) == (record.turn, record.step) && other.chain() != record.chain());
        held.push(record);
    }

    /// Forgets a session that ended.
    pub(crate) fn forget(&self, session: &SessionId) {
        self.lock().remove(session);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<SessionId, Vec<LlmRetry>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

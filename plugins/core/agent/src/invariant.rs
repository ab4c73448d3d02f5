//! Runtime check of agents: a status is announced only when it changed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use dsh_runtime::{Dispatcher, InvariantError, PluginContext, Position, ScopeId};

use crate::live::{AgentDisposed, AgentStatusChanged, StatusChange};
use crate::{Agent, AgentStatus};

/// Installs the check. An agent starts idle, so the first status announced is that it runs.
pub(crate) fn install(cx: &PluginContext, status: &Dispatcher<AgentStatusChanged>, disposed: &Dispatcher<AgentDisposed>) {
    let running: Arc<Mutex<BTreeMap<ScopeId, AgentStatus>>> = Arc::default();
    let ended = Arc::clone(&running);
    let key = (Position::First, cx.row());
    let check = move |change: &StatusChange| {
        let mut known = running.lock().unwrap_or_else(PoisonError::into_inner);
        let before = known.insert(change.agent.scope().id(), change.status).unwrap_or(AgentStatus::Idle);
        if before == change.status {
            let rule = format!("agent `{}` was announced {} twice in a row", change.agent.id(), change.status.as_str());
            return Err(InvariantError::new(env!("CARGO_PKG_NAME"), rule).into());
        }
        Ok(())
    };
    status.listen(key, None, Arc::new(check), cx.effects());
    let forget = move |agent: &Arc<dyn Agent>| {
        ended.lock().unwrap_or_else(PoisonError::into_inner).remove(&agent.scope().id());
        Ok(())
    };
    disposed.listen(key, None, Arc::new(forget), cx.effects());
}

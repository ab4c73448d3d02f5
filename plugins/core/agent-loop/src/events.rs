//! The live events that the driver dispatches.

use dsh_agent::{
    AgentError, AgentInboxClaimed, AgentInboxDiscarded, AgentInboxInserted, AgentPreStep, AgentRequest, AgentRequestError,
    AgentSessionStart, AgentStatusChanged, AgentTurnStopping, InboxEvents,
};
use dsh_runtime::Dispatcher;

use crate::plugin::Inject;

/// Dispatchers, shared by all agents.
pub(crate) struct LoopEvents {
    pub(crate) inbox: InboxEvents,
    pub(crate) status: Dispatcher<AgentStatusChanged>,
    pub(crate) session_start: Dispatcher<AgentSessionStart>,
    pub(crate) pre_step: Dispatcher<AgentPreStep>,
    pub(crate) request: Dispatcher<AgentRequest>,
    pub(crate) request_error: Dispatcher<AgentRequestError>,
    pub(crate) turn_stopping: Dispatcher<AgentTurnStopping>,
    pub(crate) error: Dispatcher<AgentError>,
}

impl LoopEvents {
    pub(crate) fn of(inject: &Inject) -> Self {
        let inserted: Dispatcher<AgentInboxInserted> = inject.inserted.clone();
        let claimed: Dispatcher<AgentInboxClaimed> = inject.claimed.clone();
        let discarded: Dispatcher<AgentInboxDiscarded> = inject.discarded.clone();
        Self {
            inbox: InboxEvents { inserted, claimed, discarded },
            status: inject.status.clone(),
            session_start: inject.session_start.clone(),
            pre_step: inject.pre_step.clone(),
            request: inject.request.clone(),
            request_error: inject.request_error.clone(),
            turn_stopping: inject.turn_stopping.clone(),
            error: inject.error.clone(),
        }
    }
}

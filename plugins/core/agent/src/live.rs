//! Live events of agents. All concern one agent and are heard by listeners of its scope and of the whole binary.

use std::sync::Arc;

use dsh_message::{LlmFailure, Message, RetryPolicy};
use dsh_runtime::{CancellationToken, ListenerError, ScopeId, event};
use dsh_session::CallConfig;

use crate::factory::StartSource;
use crate::{Agent, AgentStatus};

/// An agent began or ended to work.
pub struct StatusChange {
    /// The agent.
    pub agent: Arc<dyn Agent>,
    /// What it does now.
    pub status: AgentStatus,
}

/// A message of an inbox.
pub struct InboxMessage {
    /// The agent.
    pub agent: Arc<dyn Agent>,
    /// The message.
    pub message: Arc<Message>,
}

/// A message that a turn claimed.
pub struct Claimed {
    /// The agent.
    pub agent: Arc<dyn Agent>,
    /// The message.
    pub message: Arc<Message>,
    /// The turn.
    pub turn: u64,
}

/// An agent took up its session.
pub struct SessionStart {
    /// The agent.
    pub agent: Arc<dyn Agent>,
    /// Anew or again.
    pub source: StartSource,
}

/// A step that is proposed.
pub struct PreStep {
    /// The agent.
    pub agent: Arc<dyn Agent>,
    /// The messages with which the step would begin.
    pub messages: Vec<Arc<Message>>,
    /// The turn.
    pub turn: u64,
    /// The step's number if it is entered.
    pub step: u64,
    /// Cancelled with the turn.
    pub signal: CancellationToken,
}

/// Whether a proposed step is entered.
#[derive(Clone, Debug, PartialEq)]
pub enum PreStepDecision {
    /// The turn ends as blocked.
    Reject,
    /// It begins with these messages.
    Enter(Vec<Arc<Message>>),
}

/// A model request that is being composed.
pub struct Request {
    /// The agent.
    pub agent: Arc<dyn Agent>,
    /// The turn.
    pub turn: u64,
    /// The step.
    pub step: u64,
    /// Cancelled with the turn.
    pub signal: CancellationToken,
    /// What is proposed when nobody changes it.
    pub proposed: CallConfig,
}

/// A model call that failed.
pub struct RequestError {
    /// The agent.
    pub agent: Arc<dyn Agent>,
    /// The turn.
    pub turn: u64,
    /// The step.
    pub step: u64,
    /// The route.
    pub provider: String,
    /// Why it failed.
    pub failure: LlmFailure,
    /// What the provider says about repeating; for a route without an adapter, that it is never repeated.
    pub retry_policy: RetryPolicy,
    /// Cancelled with the turn.
    pub signal: CancellationToken,
}

/// What follows a failed call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestErrorAction {
    /// The same step asks again.
    Retry,
    /// The turn ends with the failure.
    Fail,
}

/// A turn that is about to end; whoever objects steers the agent.
pub struct TurnStopping {
    /// The agent.
    pub agent: Arc<dyn Agent>,
    /// The turn.
    pub turn: u64,
    /// Cancelled with the turn.
    pub signal: CancellationToken,
}

/// Something failed in a turn that was not cancelled.
pub struct Failed {
    /// The agent.
    pub agent: Arc<dyn Agent>,
    /// The turn.
    pub turn: u64,
    /// The step, 0 before the first.
    pub step: u64,
    /// What.
    pub failure: LlmFailure,
}

/// An agent is being published; a failing listener undoes the creation.
#[event(name = "agent/created", mode = emit, payload = Arc<dyn Agent>, failure = veto, scope = agent_scope)]
pub struct AgentCreated;

/// An agent ended; its session follows.
#[event(name = "agent/disposed", mode = emit, payload = Arc<dyn Agent>, scope = agent_scope)]
pub struct AgentDisposed;

/// An agent began or ended to work.
#[event(name = "agent/status", mode = emit, payload = StatusChange, scope = status_scope)]
pub struct AgentStatusChanged;

/// A message was put into an inbox.
#[event(name = "agent/inbox/inserted", mode = emit, payload = InboxMessage, scope = inbox_scope)]
pub struct AgentInboxInserted;

/// A message was claimed by a turn.
#[event(name = "agent/inbox/claimed", mode = emit, payload = Claimed, scope = claimed_scope)]
pub struct AgentInboxClaimed;

/// A message was dropped from an inbox.
#[event(name = "agent/inbox/discarded", mode = emit, payload = InboxMessage, scope = inbox_scope)]
pub struct AgentInboxDiscarded;

/// An agent took up its session; the last step of its publication.
#[event(name = "agent/session-start", mode = emit, payload = SessionStart, scope = start_scope)]
pub struct AgentSessionStart;

/// A step is proposed: listeners add messages or reject it.
#[event(name = "agent/pre-step", mode = waterfall, payload = PreStep, out = Result<PreStepDecision, ListenerError>, scope = pre_step_scope)]
pub struct AgentPreStep;

/// A model request is composed: listeners change route and settings. Dispatched for every attempt.
#[event(name = "agent/request", mode = waterfall, payload = Request, out = Result<CallConfig, ListenerError>, scope = request_scope)]
pub struct AgentRequest;

/// A model call failed: listeners may ask for another attempt in the same step.
#[event(name = "agent/request-error", mode = waterfall, payload = RequestError, out = Result<RequestErrorAction, ListenerError>, scope = request_error_scope)]
pub struct AgentRequestError;

/// A turn is about to end.
#[event(name = "agent/turn-stopping", mode = serial, payload = TurnStopping, scope = stopping_scope)]
pub struct AgentTurnStopping;

/// A turn failed.
#[event(name = "agent/error", mode = emit, payload = Failed, scope = failed_scope)]
pub struct AgentError;

fn agent_scope(agent: &Arc<dyn Agent>) -> Option<ScopeId> {
    Some(agent.scope().id())
}

macro_rules! scopes {
    ($($name:ident($payload:ty);)*) => {$(
        fn $name(payload: &$payload) -> Option<ScopeId> {
            agent_scope(&payload.agent)
        }
    )*};
}
scopes! {
    status_scope(StatusChange);
    inbox_scope(InboxMessage);
    claimed_scope(Claimed);
    start_scope(SessionStart);
    pre_step_scope(PreStep);
    request_scope(Request);
    request_error_scope(RequestError);
    stopping_scope(TurnStopping);
    failed_scope(Failed);
}

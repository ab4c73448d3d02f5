//! Agents as everybody but their driver sees them: a handle with an inbox, a registry, and the events of an agent's life.
//! The driver is another plugin, `agent-loop`.

// The declaration macros name this crate by its public path.
extern crate self as dsh_agent;

mod agent;
mod factory;
mod inbox;
mod inbox_failure;
mod inbox_fold;
mod invariant;
mod live;
mod pending;
mod registry;
mod spliced;

pub use agent::{Agent, AgentOptions, AgentStatus, KeepInbox, Target, Wake};
pub use factory::{AgentFactory, AgentFailure, CreateAgent, ResumeAgent, StartSource};
pub use inbox::{ClaimFrom, Inbox, InboxEvents};
pub use inbox_failure::{InboxFailure, Misfit};
pub use inbox_fold::InboxFold;
pub use live::{
    AgentCreated, AgentDisposed, AgentError, AgentInboxClaimed, AgentInboxDiscarded, AgentInboxInserted, AgentPreStep, AgentRequest,
    AgentRequestError, AgentSessionStart, AgentStatusChanged, AgentTurnStopping, Claimed, Failed, InboxMessage, PreStep, PreStepDecision,
    Request, RequestError, RequestErrorAction, SessionStart, StatusChange, TurnStopping,
};
pub use registry::{Agents, Inject};
pub use spliced::{InboxOutcome, InboxSpliced};

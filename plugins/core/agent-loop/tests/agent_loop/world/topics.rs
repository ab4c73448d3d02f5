//! All events of a world.

use std::sync::Arc;

use dsh_agent::{
    AgentCreated, AgentDisposed, AgentError, AgentInboxClaimed, AgentInboxDiscarded, AgentInboxInserted, AgentPreStep, AgentRequest,
    AgentRequestError, AgentSessionStart, AgentStatusChanged, AgentTurnStopping,
};
use dsh_llm::{LlmAdaptersUpdated, LlmStream};
use dsh_runtime::{Invariants, Topic};
use dsh_system_prompt::{SystemPrompt, SystemPromptAssemble, SystemPromptChange};
use dsh_testkit::{SessionTopics, ToolTopics};

#[derive(Default)]
pub struct Topics {
    pub session: SessionTopics,
    pub agent: AgentTopics,
    pub llm: LlmTopics,
    pub tools: ToolTopics,
    pub assemble: Topic<SystemPromptAssemble>,
    pub prompt_change: Topic<SystemPromptChange>,
}

#[derive(Default)]
pub struct AgentTopics {
    pub created: Topic<AgentCreated>,
    pub disposed: Topic<AgentDisposed>,
    pub status: Topic<AgentStatusChanged>,
    pub inserted: Topic<AgentInboxInserted>,
    pub claimed: Topic<AgentInboxClaimed>,
    pub discarded: Topic<AgentInboxDiscarded>,
    pub session_start: Topic<AgentSessionStart>,
    pub pre_step: Topic<AgentPreStep>,
    pub request: Topic<AgentRequest>,
    pub request_error: Topic<AgentRequestError>,
    pub turn_stopping: Topic<AgentTurnStopping>,
    pub error: Topic<AgentError>,
}

#[derive(Default)]
pub struct LlmTopics {
    pub stream: Topic<LlmStream>,
    pub adapters_updated: Topic<LlmAdaptersUpdated>,
}

impl Topics {
    pub fn session_inject(&self, invariants: Option<Arc<dyn Invariants>>) -> dsh_session::Inject {
        dsh_session::Inject {
            invariants,
            created: self.session.created.dispatcher(),
            disposed: self.session.disposed.dispatcher(),
            committing: self.session.committing.dispatcher(),
            appended: self.session.appended.dispatcher(),
            flush: self.session.flush.dispatcher(),
        }
    }

    pub fn prompt_inject(&self) -> dsh_system_prompt::Inject {
        dsh_system_prompt::Inject { assemble: self.assemble.dispatcher(), change: self.prompt_change.dispatcher() }
    }

    pub fn llm_inject(&self, invariants: Option<Arc<dyn Invariants>>) -> dsh_llm::Inject {
        let adapters_updated = self.llm.adapters_updated.dispatcher();
        dsh_llm::Inject { invariants, stream: self.llm.stream.dispatcher(), adapters_updated }
    }

    pub fn tools_inject(&self, invariants: Option<Arc<dyn Invariants>>, prompt: &Arc<SystemPrompt>) -> dsh_tools::Inject {
        dsh_tools::Inject {
            system_prompt: Arc::clone(prompt),
            invariants,
            pre_execute: self.tools.pre_execute.dispatcher(),
            execute: self.tools.execute.dispatcher(),
            post_execute: self.tools.post_execute.dispatcher(),
            result: self.tools.result.dispatcher(),
            change: self.tools.change.dispatcher(),
        }
    }

    pub fn agents_inject(&self, invariants: Option<Arc<dyn Invariants>>) -> dsh_agent::Inject {
        dsh_agent::Inject {
            invariants,
            created: self.agent.created.dispatcher(),
            disposed: self.agent.disposed.dispatcher(),
            status: self.agent.status.dispatcher(),
        }
    }
}

//! What happens to a proposed step that nobody changes.

use std::sync::Arc;

use dsh_agent::{AgentPreStep, PreStep, PreStepDecision};
use dsh_message::Message;
use dsh_runtime::event::Base;
use dsh_runtime::{BoxFuture, ListenerError};

/// The step is entered with what was claimed, then the runtime context where it changed. Listeners see what was claimed alone.
pub(crate) struct Enter {
    pub(crate) snapshot: Option<Arc<Message>>,
}

impl Base<AgentPreStep> for Enter {
    fn call<'a>(&'a self, proposed: &'a mut PreStep) -> BoxFuture<'a, Result<PreStepDecision, ListenerError>> {
        let messages = proposed.messages.iter().chain(&self.snapshot).map(Arc::clone).collect();
        Box::pin(async move { Ok(PreStepDecision::Enter(messages)) })
    }
}

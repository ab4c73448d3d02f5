//! A call on its way through the stages, as listeners and guards see it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dsh_agent::Agent;
use dsh_message::CallId;
use dsh_runtime::{CancellationToken, ScopeId};
use serde_json::Value;

use crate::table::Registered;
use crate::{CallRequest, ToolResult, ToolSpec, arguments};

/// Identity of an execution; never reused within a process, unlike a call's id, which the model's provider chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExecutionId(u64);

/// A call that is being carried out. It never changes; cloning shares it.
#[derive(Clone)]
pub struct ToolExecution {
    facts: Arc<Facts>,
}

pub(crate) struct Facts {
    id: ExecutionId,
    call_id: CallId,
    root_call_id: CallId,
    name: String,
    arguments: Value,
    /// Why the model's text is no JSON.
    unreadable: Option<String>,
    agent: Option<Arc<dyn Agent>>,
    signal: CancellationToken,
    tool: Option<Arc<Registered>>,
}

impl ToolExecution {
    pub(crate) fn new(request: CallRequest, tool: Option<Arc<Registered>>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let (arguments, unreadable) = match arguments::parse(&request.arguments) {
            Ok(arguments) => (arguments, None),
            Err(problem) => (Value::String(request.arguments.to_lossy().into_owned()), Some(problem)),
        };
        let facts = Facts {
            id: ExecutionId(NEXT.fetch_add(1, Ordering::Relaxed)),
            root_call_id: request.call_id.clone(),
            call_id: request.call_id,
            name: request.name.to_lossy().into_owned(),
            arguments,
            unreadable,
            agent: request.agent,
            signal: request.signal,
            tool,
        };
        Self { facts: Arc::new(facts) }
    }

    /// Its identity.
    #[must_use]
    pub fn id(&self) -> ExecutionId {
        self.facts.id
    }

    /// The call.
    #[must_use]
    pub fn call_id(&self) -> &CallId {
        &self.facts.call_id
    }

    /// The model's call that it is part of.
    #[must_use]
    pub fn root_call_id(&self) -> &CallId {
        &self.facts.root_call_id
    }

    /// The name that was called, with U+FFFD for a lone surrogate.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.facts.name
    }

    /// The arguments, not checked yet: an object as a rule, a string where the model's text is no JSON.
    #[must_use]
    pub fn arguments(&self) -> &Value {
        &self.facts.arguments
    }

    /// What keeps the model's text from being JSON.
    pub(crate) fn unreadable(&self) -> Option<&str> {
        self.facts.unreadable.as_deref()
    }

    /// Who calls.
    #[must_use]
    pub fn agent(&self) -> Option<&Arc<dyn Agent>> {
        self.facts.agent.as_ref()
    }

    /// Cancelled when the caller gives the call up.
    #[must_use]
    pub fn signal(&self) -> &CancellationToken {
        &self.facts.signal
    }

    /// The tool that the caller sees under the name.
    #[must_use]
    pub fn spec(&self) -> Option<&ToolSpec> {
        self.facts.tool.as_ref().map(|tool| &tool.spec)
    }

    pub(crate) fn tool(&self) -> Option<&Registered> {
        self.facts.tool.as_deref()
    }

    pub(crate) fn facts(&self) -> &Arc<Facts> {
        &self.facts
    }

    pub(crate) fn scope(&self) -> Option<ScopeId> {
        self.facts.agent.as_ref().map(|agent| agent.scope().id())
    }
}

/// A run of a call's body that is about to happen.
pub struct ToolAttempt {
    /// The call.
    pub execution: ToolExecution,
    /// Ends the run. A listener may put its own here; the body's signal then follows it and the caller's.
    pub signal: CancellationToken,
}

/// A call with its result.
pub struct ToolOutcome {
    /// The call.
    pub execution: ToolExecution,
    /// The result.
    pub result: Arc<ToolResult>,
}

//! A call as it comes in, and as a body sees it.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use dsh_agent::Agent;
use dsh_json::JsString;
use dsh_message::{CallId, Message};
use dsh_runtime::CancellationToken;

use crate::ToolExecution;

/// A call that a model asked for.
#[derive(Clone)]
pub struct CallRequest {
    /// The call.
    pub call_id: CallId,
    /// The tool, as the model wrote it.
    pub name: JsString,
    /// The arguments, as the model wrote them.
    pub arguments: JsString,
    /// Who calls; `None` for a call outside any session.
    pub agent: Option<Arc<dyn Agent>>,
    /// Cancelled when the caller gives the call up.
    pub signal: CancellationToken,
}

/// A call as its body sees it.
pub struct ToolCall {
    /// The call.
    pub call_id: CallId,
    /// The model's call that it is part of; itself, unless a program made it.
    pub root_call_id: CallId,
    /// The tool.
    pub name: String,
    /// Who calls; `None` for a call outside any session.
    pub agent: Option<Arc<dyn Agent>>,
    /// Cancelled when the caller gives the call up or a policy ends it. The body then returns soon; it is always awaited.
    pub signal: CancellationToken,
    deferred: Mutex<Vec<Arc<Message>>>,
    concludes: AtomicBool,
}

impl ToolCall {
    pub(crate) fn new(execution: &ToolExecution, signal: CancellationToken) -> Self {
        Self {
            call_id: execution.call_id().clone(),
            root_call_id: execution.root_call_id().clone(),
            name: execution.name().to_owned(),
            agent: execution.agent().cloned(),
            signal,
            deferred: Mutex::default(),
            concludes: AtomicBool::new(false),
        }
    }

    /// Adds a message that the model reads at its next step, after this result.
    pub fn defer_context(&self, message: Arc<Message>) {
        self.deferred.lock().unwrap_or_else(PoisonError::into_inner).push(message);
    }

    /// Ends the turn after this step when the call succeeds and nothing else is pending.
    pub fn conclude_turn(&self) {
        self.concludes.store(true, Ordering::Relaxed);
    }

    pub(crate) fn take_deferred(&self) -> Vec<Arc<Message>> {
        mem::take(&mut self.deferred.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn concludes(&self) -> bool {
        self.concludes.load(Ordering::Relaxed)
    }
}

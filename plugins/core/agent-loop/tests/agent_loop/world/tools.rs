//! Tools that a test holds in its hand.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dsh_message::{ContentBlock, Message, MessageId, MessageSource};
use dsh_testkit::{Reply, tool_body, tool_spec};
use dsh_tools::{ToolBody, ToolError, ToolOutput, ToolSpec};
use serde_json::json;
use tokio::sync::Semaphore;

/// A door that lets one through each time it is opened, before or after somebody comes to it.
#[derive(Clone)]
pub struct Gate(Arc<Semaphore>);

impl Default for Gate {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(0)))
    }
}

impl Gate {
    pub fn open(&self) {
        self.0.add_permits(1);
    }

    pub async fn pass(&self) {
        self.0.acquire().await.expect("the door is never bricked up").forget();
    }
}

/// A tool whose calls may overlap with others.
pub fn concurrent(name: &str) -> ToolSpec {
    ToolSpec { concurrent: true, ..tool_spec(name) }
}

/// A body that gives its arguments back at once.
pub fn echo() -> Arc<dyn ToolBody> {
    tool_body(|args, _call| Box::pin(async move { Ok(ToolOutput::text(args.to_string())) }))
}

/// A body that waits until its gate opens or the call is given up.
pub fn gated(gate: &Gate) -> Arc<dyn ToolBody> {
    let gate = gate.clone();
    tool_body(move |_args, call| {
        let gate = gate.clone();
        Box::pin(async move {
            tokio::select! {
                () = gate.pass() => Ok(ToolOutput::text(format!("{} passed", call.call_id))),
                () = call.signal.cancelled() => Err(ToolError::coded("AbortError", "ABORTED", "given up")),
            }
        })
    })
}

/// Bodies that wait at one gate for each call, whatever becomes of the call.
pub fn gated_each(gates: &[Gate]) -> Arc<dyn ToolBody> {
    let gates = gates.to_vec();
    let started = AtomicUsize::new(0);
    tool_body(move |_args, call| {
        let gate = gates[started.fetch_add(1, Ordering::SeqCst)].clone();
        Box::pin(async move {
            gate.pass().await;
            Ok(ToolOutput::text(format!("{} passed", call.call_id)))
        })
    })
}

/// A body that leaves a message for the next step, named after its call.
pub fn deferring() -> Arc<dyn ToolBody> {
    tool_body(|_args, call| {
        call.defer_context(note(&format!("note of {}", call.call_id)));
        Box::pin(async move { Ok(ToolOutput::text("ok")) })
    })
}

/// A body that ends the turn.
pub fn concluding() -> Arc<dyn ToolBody> {
    tool_body(|_args, call| {
        call.conclude_turn();
        Box::pin(async move { Ok(ToolOutput::text("that is all")) })
    })
}

/// A message for the next step.
pub fn note(id: &str) -> Arc<Message> {
    Arc::new(Message::user(MessageId::from(id), vec![ContentBlock::text("note")], MessageSource::User))
}

/// A reply that calls these tools without arguments.
pub fn calls<const N: usize>(names: [&str; N]) -> Reply {
    Reply::tools(names.map(|name| (name, json!({}))))
}

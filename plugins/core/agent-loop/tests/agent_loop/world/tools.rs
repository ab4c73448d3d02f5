//! Tools that a test holds in its hand.

use std::sync::Arc;

use dsh_testkit::{tool_body, tool_spec};
use dsh_tools::{ToolBody, ToolError, ToolOutput, ToolSpec};
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

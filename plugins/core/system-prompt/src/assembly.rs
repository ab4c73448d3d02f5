//! One assembly: what was gathered, before it becomes text.

use std::collections::BTreeMap;
use std::sync::Arc;

use dsh_agent::Agent;
use dsh_runtime::{ScopeId, event};
use dsh_session::ToolSchema;

use crate::error::PromptError;

/// For whom a prompt is assembled.
#[derive(Clone, Default)]
pub struct AssembleContext {
    /// The agent; `None` where a prompt is made without one, for catalogs.
    pub agent: Option<Arc<dyn Agent>>,
    /// The scope whose contributions count beside the shared ones.
    pub scope: Option<ScopeId>,
}

/// A section with its text.
#[derive(Clone, Debug, PartialEq)]
pub struct AssembledSection {
    /// Its name.
    pub name: String,
    /// Its place.
    pub order: f64,
    /// Its text, references not yet replaced.
    pub text: String,
    /// Whether it is the whole system prompt.
    pub complete: bool,
}

/// A runtime context with its text.
#[derive(Clone, Debug, PartialEq)]
pub struct AssembledContext {
    /// Its name.
    pub name: String,
    /// Its place.
    pub order: f64,
    /// Its text, references not yet replaced.
    pub text: String,
}

/// What was gathered for a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Assembly {
    /// Sections in order.
    pub sections: Vec<AssembledSection>,
    /// Runtime contexts in order.
    pub contexts: Vec<AssembledContext>,
    /// Variables; `None` for one that has no value here.
    pub variables: BTreeMap<String, Option<String>>,
    /// Tools in the order in which the model sees them.
    pub tools: Vec<ToolSchema>,
}

/// The payload of [`SystemPromptAssemble`].
pub struct Assembling {
    /// What was gathered. A listener may change it before it delegates; afterwards it is in the flow.
    pub assembly: Assembly,
    /// For whom.
    pub context: AssembleContext,
}

/// Lets plugins change an assembly before it is rendered, for instance to set variables.
#[event(
    name = "system-prompt/assemble",
    mode = waterfall,
    payload = Assembling,
    out = Result<Assembly, PromptError>,
    scope = assembling_scope
)]
pub struct SystemPromptAssemble;

fn assembling_scope(assembling: &Assembling) -> Option<ScopeId> {
    assembling.context.scope
}

/// A contribution was registered or undone.
#[event(name = "system-prompt/change", mode = emit, payload = ())]
pub struct SystemPromptChange;

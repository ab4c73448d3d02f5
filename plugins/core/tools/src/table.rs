//! What is registered, by layer: shared by the whole binary, or one agent's own.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dsh_runtime::{Dispatcher, Layered, ScopeId};
use dsh_session::ToolSchema;
use dsh_system_prompt::ToolOffer;

use crate::live::{ToolsChange, ToolsExecute, ToolsPostExecute, ToolsPreExecute, ToolsResult};
use crate::{Guard, Restriction, ToolBody, ToolSpec};

/// A registered tool.
pub(crate) struct Registered {
    pub(crate) spec: ToolSpec,
    pub(crate) body: Arc<dyn ToolBody>,
    /// The agent or the preset whose own it is.
    pub(crate) scope: Option<ScopeId>,
}

/// The events that calls dispatch.
pub(crate) struct Events {
    pub(crate) pre_execute: Dispatcher<ToolsPreExecute>,
    pub(crate) execute: Dispatcher<ToolsExecute>,
    pub(crate) post_execute: Dispatcher<ToolsPostExecute>,
    pub(crate) result: Dispatcher<ToolsResult>,
    pub(crate) change: Dispatcher<ToolsChange>,
}

/// Tools, guards and restrictions, with the events of their calls.
pub(crate) struct Table {
    pub(crate) events: Events,
    pub(crate) tools: Layered<Registered>,
    pub(crate) guards: Layered<Arc<dyn Guard>>,
    pub(crate) restrictions: Layered<Restriction>,
    /// Numbers the registrations that have no name of their own.
    unnamed: AtomicU64,
}

impl Table {
    pub(crate) fn new(events: Events) -> Self {
        Self { events, tools: Layered::default(), guards: Layered::default(), restrictions: Layered::default(), unnamed: AtomicU64::new(0) }
    }

    /// A name that no other registration has.
    pub(crate) fn unnamed(&self) -> String {
        self.unnamed.fetch_add(1, Ordering::Relaxed).to_string()
    }

    /// The tool that a scope sees under a name.
    pub(crate) fn get(&self, scope: Option<ScopeId>, name: &str) -> Option<Arc<Registered>> {
        self.tools.get(scope, name).filter(|tool| is_visible(tool, scope, &self.restrictions.view(scope)))
    }

    /// What a scope sees, by name, and the names of what is kept from it.
    pub(crate) fn offer(&self, scope: Option<ScopeId>) -> ToolOffer {
        let restrictions = self.restrictions.view(scope);
        let (visible, hidden): (Vec<_>, Vec<_>) =
            self.tools.view(scope).into_iter().partition(|(_, tool)| is_visible(tool, scope, &restrictions));
        let mut schemas: Vec<ToolSchema> = visible.iter().map(|(_, tool)| tool.spec.schema()).collect();
        // Names are ASCII, so this is the order of their code units.
        schemas.sort_by(|left, right| left.name.cmp(&right.name));
        ToolOffer { schemas, known: hidden.into_iter().map(|(name, _)| name).collect() }
    }

    /// Announces that a layer changed.
    pub(crate) fn announce(change: &Dispatcher<ToolsChange>) {
        if let Err(error) = change.emit(&()) {
            tracing::error!(%error, "a runtime check failed when the tools changed");
        }
    }
}

/// An agent's own tools are never restricted.
fn is_visible(tool: &Registered, scope: Option<ScopeId>, restrictions: &[(String, Arc<Restriction>)]) -> bool {
    tool.scope.is_some() && tool.scope == scope || restrictions.iter().all(|(_, restriction)| restriction.admits(&tool.spec.name))
}

//! The registry.

use std::sync::Arc;

use dsh_runtime::description::{PromptKind, PromptPart, ToolDescription};
use dsh_runtime::{
    Dispatcher, EffectStack, Inject, Invariants, Layered, MountError, Mounted, NoConfig, PluginContext, ScopeId, plugin, service,
};
use dsh_session::ToolSchema;
use dsh_system_prompt::SystemPrompt;

use crate::contribute::PluginTool;
use crate::live::{ToolsChange, ToolsExecute, ToolsPostExecute, ToolsPreExecute, ToolsResult};
use crate::register::admit;
use crate::schema::validate;
use crate::table::{Events, Registered, Table};
use crate::{
    CallRequest, DeclaresTools, Guard, PreparedCall, RegisterError, RestrictError, Restriction, ToolBody, ToolExecution, ToolSpec,
    arguments, invariant,
};

/// What the registry needs.
#[derive(Inject)]
pub struct Inject {
    /// Told of the tools that each agent sees.
    pub system_prompt: Arc<SystemPrompt>,
    /// Registry of runtime checks.
    pub invariants: Option<Arc<dyn Invariants>>,
    /// Asks policies whether a call may run.
    pub pre_execute: Dispatcher<ToolsPreExecute>,
    /// Runs bodies.
    pub execute: Dispatcher<ToolsExecute>,
    /// Asks policies what becomes of a result.
    pub post_execute: Dispatcher<ToolsPostExecute>,
    /// Announces results.
    pub result: Dispatcher<ToolsResult>,
    /// Announces registrations.
    pub change: Dispatcher<ToolsChange>,
}

/// The registry of tools.
#[service(key = "tools")]
pub struct Tools {
    table: Arc<Table>,
}

#[plugin(
    provides(Tools),
    invariants("The stages of a tool call come in order, each once.", "The result of a tool call names the call that was made.",)
)]
impl Tools {
    /// Makes itself a source of the prompt's tool schemas.
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        let events = Events {
            pre_execute: inject.pre_execute,
            execute: inject.execute,
            post_execute: inject.post_execute,
            result: inject.result,
            change: inject.change,
        };
        if let Some(invariants) = &inject.invariants {
            invariants.register(env!("CARGO_PKG_NAME"), cx, invariant::installer(&events))?;
        }
        let table = Arc::new(Table::new(events));
        let offered = Arc::clone(&table);
        inject.system_prompt.tools(cx.scope(), move |context| Ok(offered.offer(context.scope)), cx.effects());
        Ok(Self { table })
    }

    /// The schemas that the prompt holds.
    #[prompt]
    pub fn offered(_config: &NoConfig) -> Vec<PromptPart> {
        vec![PromptPart::open(PromptKind::Tools, "tools", None, "agents may have tools of their own and see a part of the others")]
    }
}

impl Tools {
    /// Registers the tools that a plugin declares, until the plugin is torn down; those of a preset's row are for agents that joined it.
    /// The wiring calls this.
    ///
    /// # Errors
    /// As [`Tools::register`].
    pub fn contribute<P: DeclaresTools>(&self, mounted: &Mounted<P>) -> Result<(), MountError> {
        let cx = mounted.context();
        PluginTool::of(mounted).try_for_each(|(spec, body)| self.register(cx.scope(), spec, body, cx.effects()))
    }

    /// What the model is told of the tools that a plugin declares, under a config of its row; nothing of it is mounted. The description
    /// that a binary gives of itself calls this.
    #[must_use]
    pub fn describe<P: DeclaresTools>(row: &'static str, config: &P::Config) -> Vec<ToolDescription> {
        let described = |spec: ToolSpec| ToolDescription {
            row,
            name: spec.name,
            description: spec.description,
            parameters: spec.parameters,
            render: spec.render.word(),
            concurrent: spec.concurrent,
            timeout_ms: spec.timeout_ms,
        };
        P::describe(config).into_iter().map(described).collect()
    }

    /// Registers a tool for the whole binary, for a preset or for one agent, until `effects` unwind. An agent's own tool replaces that
    /// of its preset, and this the shared one of that name.
    ///
    /// # Errors
    /// When the layer has a tool of that name, or the declaration is refused; see [`RegisterError`].
    pub fn register(
        &self,
        scope: Option<ScopeId>,
        spec: ToolSpec,
        body: Arc<dyn ToolBody>,
        effects: &EffectStack,
    ) -> Result<(), MountError> {
        let spec = admit(spec)?;
        let name = spec.name.clone();
        let inserted = self.insert(&self.table.tools, scope, &name, Registered { spec, body, scope }, effects);
        Ok(inserted.map_err(|name| RegisterError::Duplicate { name })?)
    }

    /// Adds a guard of all calls, or of one agent's, until `effects` unwind. Guards of the whole binary are asked first.
    pub fn guard(&self, scope: Option<ScopeId>, guard: Arc<dyn Guard>, effects: &EffectStack) {
        self.insert_unnamed(&self.table.guards, scope, guard, effects);
    }

    /// Limits what an agent sees of the shared tools and those of its preset, until `effects` unwind. All restrictions of an agent count.
    ///
    /// # Errors
    /// When it limits nothing, or names what is no shared tool.
    pub fn restrict(&self, scope: ScopeId, restriction: Restriction, effects: &EffectStack) -> Result<(), MountError> {
        if restriction.is_empty() {
            return Err(RestrictError::Empty.into());
        }
        if let Some(name) = restriction.names().find(|name| self.table.tools.get(scope.preset(), name).is_none()) {
            return Err(RestrictError::Unknown { name: name.clone() }.into());
        }
        self.insert_unnamed(&self.table.restrictions, Some(scope), restriction, effects);
        Ok(())
    }

    /// The tools that a scope sees, ascending by name.
    #[must_use]
    pub fn schemas(&self, scope: Option<ScopeId>) -> Vec<ToolSchema> {
        self.table.offer(scope).schemas
    }

    /// Whether a call may overlap with others: its tool says so and takes its arguments.
    #[must_use]
    pub fn is_concurrent(&self, call: &CallRequest) -> bool {
        self.visible(call).is_some_and(|tool| {
            tool.spec.concurrent
                && arguments::parse(&call.arguments).is_ok_and(|arguments| validate(&tool.spec.parameters, &arguments).is_empty())
        })
    }

    /// Takes a call through policy and guards, up to its body. Calls of one reply are prepared one after the other.
    pub async fn prepare(&self, request: CallRequest) -> PreparedCall {
        let tool = self.visible(&request);
        PreparedCall::admit(Arc::clone(&self.table), ToolExecution::new(request, tool)).await
    }

    /// The tool that a call's agent sees under its name.
    fn visible(&self, call: &CallRequest) -> Option<Arc<Registered>> {
        let scope = call.agent.as_ref().map(|agent| agent.scope().id());
        self.table.get(scope, call.name.as_str()?)
    }

    fn insert<T: Send + Sync + 'static>(
        &self,
        layers: &Layered<T>,
        scope: Option<ScopeId>,
        name: &str,
        value: T,
        effects: &EffectStack,
    ) -> Result<(), String> {
        // Effects are undone in reverse order, so the one that announces the removal is recorded before it.
        let change = self.table.events.change.clone();
        effects.push_sync(move || Table::announce(&change));
        layers.insert(scope, name, value, effects)?;
        Table::announce(&self.table.events.change);
        Ok(())
    }

    fn insert_unnamed<T: Send + Sync + 'static>(&self, layers: &Layered<T>, scope: Option<ScopeId>, value: T, effects: &EffectStack) {
        let inserted = self.insert(layers, scope, &self.table.unnamed(), value, effects);
        debug_assert!(inserted.is_ok(), "the number was not used before");
    }
}

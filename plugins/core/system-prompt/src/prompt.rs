//! The registry.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dsh_runtime::description::{PromptKind, PromptPart};
use dsh_runtime::{BoxFuture, Dispatcher, EffectStack, Inject, Layered, MountError, PluginContext, ScopeId, plugin, service};

use crate::assembly::{
    AssembleContext, AssembledContext, AssembledSection, Assembling, Assembly, SystemPromptAssemble, SystemPromptChange,
};
use crate::config::Config;
use crate::contribution::{Context, Section, ToolOffer};
use crate::error::{PromptError, RegisterError};
use crate::interpolate::is_variable_name;
use crate::tool_order::ToolOrder;

/// Name of the section that says which harness the model runs in.
pub const HARNESS_IDENTITY: &str = "harness:identity";
/// Name of the section with the configured persona.
pub const PERSONA: &str = "deployment:persona";

type Variable = Box<dyn Fn(&AssembleContext) -> Option<String> + Send + Sync>;
type Tools = Box<dyn Fn(&AssembleContext) -> Result<ToolOffer, String> + Send + Sync>;

/// What the registry dispatches.
#[derive(Inject)]
pub struct Inject {
    /// Lets plugins change an assembly.
    pub assemble: Dispatcher<SystemPromptAssemble>,
    /// Announces registrations.
    pub change: Dispatcher<SystemPromptChange>,
}

/// The registry of what a model is told before the conversation.
#[service(key = "systemPrompt")]
pub struct SystemPrompt {
    inject: Inject,
    include_runtime_context: bool,
    order: ToolOrder,
    sections: Layered<Section>,
    contexts: Layered<Context>,
    variables: Layered<Variable>,
    tools: Layered<Tools>,
    suppressors: Layered<()>,
    /// Numbers the registrations that have no name of their own.
    unnamed: AtomicU64,
}

#[plugin(provides(SystemPrompt))]
impl SystemPrompt {
    /// Registers the sections that the config asks for.
    pub async fn mount(cx: &PluginContext, config: Config, inject: Inject) -> Result<Self, MountError> {
        let prompt = Self {
            inject,
            include_runtime_context: config.include_runtime_context,
            order: ToolOrder::new(config.tool_order)?,
            sections: Layered::default(),
            contexts: Layered::default(),
            variables: Layered::default(),
            tools: Layered::default(),
            suppressors: Layered::default(),
            unnamed: AtomicU64::new(0),
        };
        for (name, order, text) in sections(config.include_harness_identity, config.persona) {
            prompt.section(None, Section::new(name, order, text), cx.effects())?;
        }
        Ok(prompt)
    }

    /// The sections of its own, and who may add or change others.
    #[prompt]
    pub fn describe(config: &Config) -> Vec<PromptPart> {
        let own = sections(config.include_harness_identity, config.persona.clone()).into_iter();
        let own = own.map(|(name, order, text)| PromptPart::known(PromptKind::Section, name, order, text));
        let marks = [(PromptKind::Registry, "systemPrompt"), (PromptKind::Listeners, "system-prompt/assemble")].into_iter();
        let marks = marks.chain((!config.include_runtime_context).then_some((PromptKind::NoContexts, "contexts")));
        own.chain(marks.map(|(kind, name)| PromptPart::mark(kind, name))).collect()
    }
}

/// Name, order and text of the sections that the config asks for.
fn sections(include_harness_identity: bool, persona: String) -> Vec<(&'static str, f64, String)> {
    let identity = "You run inside an agent harness that carries out your tool calls and records the session.";
    let identity = include_harness_identity.then(|| (HARNESS_IDENTITY, -100.0, identity.to_owned()));
    identity.into_iter().chain([(PERSONA, 0.0, persona)]).collect()
}

impl SystemPrompt {
    /// Registers a section for the whole binary, or for one agent, until `effects` unwind.
    ///
    /// # Errors
    /// When the name is blank or taken in its layer, or the order is not finite.
    pub fn section(&self, scope: Option<ScopeId>, section: Section, effects: &EffectStack) -> Result<(), RegisterError> {
        check_part("section", &section.name, section.order)?;
        let name = section.name.clone();
        self.register(&self.sections, "section", scope, &name, section, effects)
    }

    /// Registers a runtime context, likewise.
    ///
    /// # Errors
    /// When the name is blank or taken in its layer, or the order is not finite.
    pub fn context(&self, scope: Option<ScopeId>, context: Context, effects: &EffectStack) -> Result<(), RegisterError> {
        check_part("context", &context.name, context.order)?;
        let name = context.name.clone();
        self.register(&self.contexts, "context", scope, &name, context, effects)
    }

    /// Registers a variable, likewise; `value` may have none for some assemblies.
    ///
    /// # Errors
    /// When no text can refer to the name, or it is taken in its layer.
    pub fn variable(
        &self,
        scope: Option<ScopeId>,
        name: &str,
        value: impl Fn(&AssembleContext) -> Option<String> + Send + Sync + 'static,
        effects: &EffectStack,
    ) -> Result<(), RegisterError> {
        if !is_variable_name(name) {
            return Err(RegisterError::VariableName { name: name.to_owned() });
        }
        self.register(&self.variables, "variable", scope, name, Box::new(value), effects)
    }

    /// Registers a source of tool schemas, likewise. The schemas of all sources are told.
    pub fn tools(
        &self,
        scope: Option<ScopeId>,
        offer: impl Fn(&AssembleContext) -> Result<ToolOffer, String> + Send + Sync + 'static,
        effects: &EffectStack,
    ) {
        self.register_unnamed(&self.tools, scope, Box::new(offer), effects);
    }

    /// Leaves out all runtime contexts, for the whole binary or for one agent, until `effects` unwind.
    pub fn suppress_runtime_context(&self, scope: Option<ScopeId>, effects: &EffectStack) {
        self.register_unnamed(&self.suppressors, scope, (), effects);
    }

    /// Gathers what a request tells the model.
    ///
    /// # Errors
    /// When several sections want to be the whole prompt, tools cannot be ordered, or a contributor or listener fails.
    pub async fn assemble(&self, context: AssembleContext) -> Result<Assembly, PromptError> {
        let mut assembly = Assembly {
            sections: self.gather_sections(&context),
            contexts: self.gather_contexts(&context),
            variables: self.variables.view(context.scope).into_iter().map(|(name, value)| (name, value(&context))).collect(),
            tools: self.gather_tools(&context)?,
        };
        let complete = complete_section(&assembly.sections)?;
        if let Some(complete) = &complete {
            assembly.sections = vec![complete.clone()];
        }
        let mut assembling = Assembling { assembly, context };
        let mut assembled = self.inject.assemble.waterfall(&mut assembling, &innermost).await?;
        if let Some(complete) = complete {
            assembled.sections = vec![complete];
        }
        Ok(assembled)
    }

    fn gather_sections(&self, context: &AssembleContext) -> Vec<AssembledSection> {
        let evaluate = |(name, section): (String, Arc<Section>)| AssembledSection {
            name,
            order: section.order,
            text: section.text.evaluate(context),
            complete: section.complete,
        };
        let mut sections: Vec<_> = self.sections.view(context.scope).into_iter().map(evaluate).collect();
        sections.sort_by(|left, right| left.order.total_cmp(&right.order));
        sections
    }

    fn gather_contexts(&self, context: &AssembleContext) -> Vec<AssembledContext> {
        if !self.include_runtime_context || !self.suppressors.view(context.scope).is_empty() {
            return Vec::new();
        }
        let evaluate =
            |(name, part): (String, Arc<Context>)| AssembledContext { name, order: part.order, text: part.text.evaluate(context) };
        let mut contexts: Vec<_> = self.contexts.view(context.scope).into_iter().map(evaluate).collect();
        contexts.sort_by(|left, right| left.order.total_cmp(&right.order));
        contexts
    }

    fn gather_tools(&self, context: &AssembleContext) -> Result<Vec<dsh_session::ToolSchema>, PromptError> {
        let offers = self.tools.view(context.scope).into_iter().map(|(_, offer)| offer(context));
        self.order.apply(offers.collect::<Result<_, _>>().map_err(PromptError::Contributor)?)
    }

    fn register<T: Send + Sync + 'static>(
        &self,
        layers: &Layered<T>,
        kind: &'static str,
        scope: Option<ScopeId>,
        name: &str,
        value: T,
        effects: &EffectStack,
    ) -> Result<(), RegisterError> {
        // Effects are undone in reverse order, so the one that announces the removal is recorded before it.
        let change = self.inject.change.clone();
        effects.push_sync(move || announce(&change));
        layers.insert(scope, name, value, effects).map_err(|name| RegisterError::Duplicate { kind, name })?;
        announce(&self.inject.change);
        Ok(())
    }

    fn register_unnamed<T: Send + Sync + 'static>(&self, layers: &Layered<T>, scope: Option<ScopeId>, value: T, effects: &EffectStack) {
        let name = self.unnamed.fetch_add(1, Ordering::Relaxed).to_string();
        // The counter gives each number once, so the name is free.
        self.register(layers, "source", scope, &name, value, effects).expect("a fresh number is no duplicate");
    }
}

fn announce(change: &Dispatcher<SystemPromptChange>) {
    if let Err(error) = change.emit(&()) {
        tracing::error!(%error, "a runtime check failed when the prompt's contributions changed");
    }
}

fn innermost(assembling: &mut Assembling) -> BoxFuture<'_, Result<Assembly, PromptError>> {
    Box::pin(async { Ok(std::mem::take(&mut assembling.assembly)) })
}

fn check_part(kind: &'static str, name: &str, order: f64) -> Result<(), RegisterError> {
    if name.trim().is_empty() {
        return Err(RegisterError::Unnamed { kind });
    }
    if order.is_finite() { Ok(()) } else { Err(RegisterError::Order { kind, name: name.to_owned() }) }
}

/// The section that is the whole prompt, when there is one.
fn complete_section(sections: &[AssembledSection]) -> Result<Option<AssembledSection>, PromptError> {
    let mut complete = sections.iter().filter(|section| section.complete);
    match (complete.next(), complete.next()) {
        (Some(first), Some(second)) => Err(PromptError::SeveralComplete { first: first.name.clone(), second: second.name.clone() }),
        (first, _) => Ok(first.cloned()),
    }
}

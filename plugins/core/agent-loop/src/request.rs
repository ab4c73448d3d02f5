//! A model request: its route and settings, and what of them the log records.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use dsh_agent::{Agent, Request};
use dsh_json::JsString;
use dsh_llm::{LlmRequest, PreparedCall, RequestMessages};
use dsh_message::LlmFailure;
use dsh_runtime::{BoxFuture, ListenerError};
use dsh_session::catalogue::{HeaderReason, RequestContext, RequestHeader};
use dsh_session::{CallConfig, EpochHeader, History, ToolSchema};
use dsh_system_prompt::Rendered;

use crate::abort::Abort;
use crate::failure::Stop;
use crate::loop_agent::LoopAgent;
use crate::step::Step;

/// A request that is ready to be sent.
pub(crate) struct Attempt {
    pub(crate) prepared: PreparedCall,
    pub(crate) request: LlmRequest,
}

impl LoopAgent {
    /// Composes a request and logs what changed of its header and context.
    pub(crate) async fn compose(self: &Arc<Self>, step: Step, prompt: &Rendered, abort: &Abort) -> Result<Attempt, Stop> {
        // Taken first: what listeners add from here on joins the next step.
        let history = self.session.history();
        let proposed = self.starting_config();
        let mut request = Request { agent: self.shared(), turn: step.turn, step: step.number, signal: abort.signal(), proposed };
        let config = self.services.events.request.waterfall(&mut request, &as_proposed).await?;
        if config.provider.is_empty() || config.model.is_empty() {
            let missing = if config.provider.is_empty() { "provider" } else { "model" };
            return Err(Stop::Failed(LlmFailure::new("UNKNOWN", format!("the request names no {missing}"))));
        }
        let prepared = self.prepare(config, abort).await?;
        abort.check()?;
        self.log_header(&prepared, prompt)?;
        self.log_context(&prepared)?;
        Ok(Attempt { request: self.model_request(history, prompt, abort), prepared })
    }

    /// A route without an adapter is let through: a listener of the stream may serve it.
    async fn prepare(&self, config: CallConfig, abort: &Abort) -> Result<PreparedCall, Stop> {
        match self.services.llm.prepare(config.clone(), &abort.signal()).await {
            Err(failure) if failure.code == "NO_ADAPTER" => Ok(PreparedCall::unrouted(config)),
            prepared => Ok(prepared?),
        }
    }

    fn model_request(&self, history: History, prompt: &Rendered, abort: &Abort) -> LlmRequest {
        LlmRequest {
            messages: RequestMessages::Logged(history),
            system: prompt.system.as_deref().map(JsString::from),
            tools: request_tools(prompt),
            session: Some(self.id().clone()),
            purpose: None,
            signal: abort.signal(),
        }
    }

    /// Route and settings before listeners see them: those of the agent for the first request, then those of the last header
    /// without what the adapter had filled in.
    fn starting_config(&self) -> CallConfig {
        let last = self.session.request_header();
        if self.requested.load(Ordering::Relaxed) {
            let EpochHeader { mut config, adapter_defaults, .. } = last.unwrap_or_default();
            config.reasoning_effort = config.reasoning_effort.filter(|_| !adapter_defaults.reasoning_effort);
            config.max_tokens = config.max_tokens.filter(|_| !adapter_defaults.max_tokens);
            return config;
        }
        let options = self.options();
        let (provider, model) = (options.provider.clone().unwrap_or_default(), options.model.clone().unwrap_or_default());
        let chosen_before = last.filter(|header| {
            header.config.provider == provider && header.config.model == model && !header.adapter_defaults.reasoning_effort
        });
        let reasoning_effort = options.reasoning_effort.clone().or_else(|| chosen_before.and_then(|header| header.config.reasoning_effort));
        CallConfig { provider, model, reasoning_effort, max_tokens: options.max_tokens, ..CallConfig::default() }
    }

    fn log_header(&self, prepared: &PreparedCall, prompt: &Rendered) -> Result<(), Stop> {
        let header = EpochHeader {
            config: prepared.config.clone(),
            adapter_defaults: prepared.adapter_defaults,
            system: prompt.system.as_deref().map(JsString::from),
            tools: Some(request_tools(prompt)),
        }
        .canonical();
        let reason = match (self.session.request_header(), self.requested.load(Ordering::Relaxed)) {
            (None, _) => HeaderReason::Initial,
            (Some(_), false) => HeaderReason::Resume,
            (Some(held), true) if held != header => HeaderReason::Change,
            (Some(_), true) => return Ok(()),
        };
        self.session.append(&RequestHeader { header, reason })?;
        self.requested.store(true, Ordering::Relaxed);
        Ok(())
    }

    fn log_context(&self, prepared: &PreparedCall) -> Result<(), Stop> {
        let CallConfig { provider, model, .. } = prepared.config.clone();
        let context = RequestContext { provider, model, context_window: prepared.context_window };
        if self.session.request_context().as_ref() != Some(&context) {
            self.session.append(&context)?;
        }
        Ok(())
    }
}

/// What a request is when nobody changes it.
fn as_proposed(request: &mut Request) -> BoxFuture<'_, Result<CallConfig, ListenerError>> {
    let config = request.proposed.clone();
    Box::pin(async move { Ok(config) })
}

fn request_tools(prompt: &Rendered) -> Arc<[ToolSchema]> {
    prompt.tools.clone().into()
}

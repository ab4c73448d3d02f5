//! What a log holds of the calls of its model.

use std::collections::BTreeSet;
use std::sync::Arc;

use dsh_llm::ModelInfo;
use dsh_message::{Message, StreamChunk};
use dsh_session::catalogue::{AssistantChunk, RequestContext, RequestHeader, StepEnd};
use dsh_session::{EpochHeader, EventData, Seed, SessionEvent};

/// A call of the model and what came of it.
#[derive(Debug)]
pub(crate) struct Exchange {
    /// Route, settings, system prompt and tools.
    pub(crate) header: EpochHeader,
    /// Tokens that request and reply share, when known.
    context_window: Option<u64>,
    /// The conversation.
    pub(crate) messages: Arc<Vec<Arc<Message>>>,
    /// The reply; without a `finish` it was given up.
    pub(crate) chunks: Vec<StreamChunk>,
}

/// The calls of a session, in order.
#[derive(Default)]
pub(crate) struct Recording {
    pub(crate) exchanges: Vec<Exchange>,
    log: Seed,
    header: EpochHeader,
    context: Option<RequestContext>,
    /// Whether the next piece of a stream belongs to the last exchange.
    is_open: bool,
}

impl Recording {
    /// Takes the next event of the log in.
    pub(crate) fn take(&mut self, event: SessionEvent) {
        match &*event.kind {
            AssistantChunk::TYPE => {
                if let Some(AssistantChunk { chunk, .. }) = event.data() {
                    self.piece(chunk);
                }
            }
            RequestHeader::TYPE => {
                if let Some(RequestHeader { header, .. }) = event.data() {
                    self.header = header.canonical();
                }
            }
            RequestContext::TYPE => self.context = event.data(),
            StepEnd::TYPE => self.is_open = false,
            _ => {}
        }
        // An event that does not follow the ones before it fails the reading of the log as a whole.
        let _ = self.log.pass(event);
    }

    fn piece(&mut self, chunk: StreamChunk) {
        if !self.is_open {
            let route = (&self.header.config.provider, &self.header.config.model);
            let context = self.context.as_ref().filter(|context| (&context.provider, &context.model) == route);
            let context_window = context.and_then(|context| context.context_window);
            self.exchanges.push(Exchange {
                header: self.header.clone(),
                context_window,
                messages: self.log.messages(),
                chunks: Vec::new(),
            });
        }
        self.is_open = !matches!(chunk, StreamChunk::Finish { .. });
        if let Some(exchange) = self.exchanges.last_mut() {
            exchange.chunks.push(chunk);
        }
    }

    /// The providers that were called.
    pub(crate) fn providers(&self) -> BTreeSet<String> {
        self.exchanges.iter().map(|exchange| exchange.header.config.provider.clone()).collect()
    }

    /// What the log tells of the models of a provider: what the adapter filled in at their first call.
    pub(crate) fn models(&self, provider: &str) -> Vec<ModelInfo> {
        let mut models: Vec<ModelInfo> = Vec::new();
        for Exchange { header: EpochHeader { config, adapter_defaults, .. }, context_window, .. } in &self.exchanges {
            if config.provider != provider {
                continue;
            }
            let effort = config.reasoning_effort.clone();
            if let Some(known) = models.iter_mut().find(|known| known.id == config.model) {
                known.reasoning_efforts.extend(effort.filter(|effort| !known.reasoning_efforts.contains(effort)));
                continue;
            }
            models.push(ModelInfo {
                id: config.model.clone(),
                context_window: *context_window,
                default_max_tokens: config.max_tokens.filter(|_| adapter_defaults.max_tokens),
                reasoning_efforts: effort.iter().cloned().collect(),
                default_reasoning_effort: effort.filter(|_| adapter_defaults.reasoning_effort),
                ..ModelInfo::default()
            });
        }
        models
    }
}

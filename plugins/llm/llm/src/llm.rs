//! The registry of adapters and the way to call a model.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dsh_message::LlmFailure;
use dsh_runtime::{
    CancellationToken, Dispatcher, EffectStack, Inject, Invariants, ListenerError, MountError, PluginContext, plugin, service,
};
use dsh_session::CallConfig;

use crate::dispatch::{AdapterBase, given_up};
use crate::{ChunkStream, LlmAdapter, LlmAdaptersUpdated, LlmError, LlmRequest, LlmStream, ModelInfo, PreparedCall, StreamCall, invariant};

/// What the registry needs.
#[derive(Inject)]
pub struct Inject {
    /// Registry of runtime checks.
    pub invariants: Option<Arc<dyn Invariants>>,
    /// Reaches the listeners around calls.
    pub stream: Dispatcher<LlmStream>,
    /// Announces changes of the adapters.
    pub adapters_updated: Dispatcher<LlmAdaptersUpdated>,
}

/// Adapters by the id of their provider.
#[derive(Clone, Default)]
pub(crate) struct Routes(Arc<Mutex<BTreeMap<String, Arc<dyn LlmAdapter>>>>);

impl Routes {
    pub(crate) fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<dyn LlmAdapter>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Models by provider.
#[service(key = "llm")]
pub struct Llm {
    routes: Routes,
    stream: Dispatcher<LlmStream>,
    adapters_updated: Dispatcher<LlmAdaptersUpdated>,
}

/// Holds the adapters of model providers and makes model calls through them.
#[plugin(
    provides(Llm),
    invariants(
        "The chunks of a reply follow the grammar of streams: deltas lie in open blocks of their kind, one `finish` comes last.",
        "A route leads to an adapter that calls itself by the name of the route.",
    )
)]
impl Llm {
    /// Mounts it without adapters; with a registry of checks it installs those of replies and routes.
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        let routes = Routes::default();
        if let Some(invariants) = &inject.invariants {
            let (held, stream, updated) = (routes.clone(), inject.stream.clone(), inject.adapters_updated.clone());
            let install = Box::new(move |cx: &PluginContext| invariant::install(cx, &stream, &updated, held));
            invariants.register(env!("CARGO_PKG_NAME"), cx, install)?;
        }
        Ok(Self { routes, stream: inject.stream, adapters_updated: inject.adapters_updated })
    }
}

impl Llm {
    /// Registers an adapter until `effects` unwind.
    ///
    /// # Errors
    /// When its provider has one, or its provider id is blank.
    pub fn register(&self, adapter: Arc<dyn LlmAdapter>, effects: &EffectStack) -> Result<(), LlmError> {
        let provider = adapter.provider().to_owned();
        if provider.trim().is_empty() {
            return Err(LlmError::InvalidAdapter);
        }
        {
            let mut routes = self.routes.lock();
            if routes.contains_key(&provider) {
                return Err(LlmError::DuplicateAdapter(provider));
            }
            routes.insert(provider.clone(), adapter);
        }
        // The id stays taken until this runs, so what is removed is what was inserted.
        let (routes, updated) = (self.routes.clone(), self.adapters_updated.clone());
        effects.push_sync(move || {
            routes.lock().remove(&provider);
            if let Err(error) = updated.emit(&()) {
                tracing::error!(provider, %error, "a runtime check failed when an adapter was taken away");
            }
        });
        Ok(self.adapters_updated.emit(&())?)
    }

    /// Whether a provider has an adapter.
    #[must_use]
    pub fn has(&self, provider: &str) -> bool {
        self.routes.lock().contains_key(provider)
    }

    /// Ids of the providers that have an adapter, sorted.
    #[must_use]
    pub fn providers(&self) -> Vec<String> {
        self.routes.lock().keys().cloned().collect()
    }

    /// Models that a provider offers; others may work too.
    ///
    /// # Errors
    /// `NO_ADAPTER`
    pub fn list_models(&self, provider: &str) -> Result<Vec<ModelInfo>, LlmFailure> {
        Ok(self.adapter(provider)?.list_models())
    }

    /// Resolves a call: the adapter's defaults for what `config` leaves open, and what is known of the model.
    ///
    /// # Errors
    /// `NO_ADAPTER`, `ABORTED`, `UNSUPPORTED_REASONING_EFFORT`, `INVALID_MODEL_…`, and the adapter's own (`UNKNOWN_MODEL`).
    pub async fn prepare(&self, config: CallConfig, signal: &CancellationToken) -> Result<PreparedCall, LlmFailure> {
        let adapter = self.adapter(&config.provider)?;
        let model = tokio::select! {
            biased;
            () = signal.cancelled() => Err(given_up()),
            model = adapter.resolve_model(&config.model) => model,
        }?;
        PreparedCall::resolve(config, model, adapter)
    }

    /// Makes the call with the listeners of `llm/stream` around it. The reply of an adapter ends with exactly one `finish`
    /// chunk: a failure and a cancelled signal become one too.
    ///
    /// # Errors
    /// A listener's own.
    pub async fn stream(&self, prepared: PreparedCall, request: LlmRequest) -> Result<ChunkStream, ListenerError> {
        let base = AdapterBase { adapter: prepared.adapter };
        let mut call = StreamCall { config: prepared.config, request };
        self.stream.waterfall(&mut call, &base).await
    }

    fn adapter(&self, provider: &str) -> Result<Arc<dyn LlmAdapter>, LlmFailure> {
        let routes = self.routes.lock();
        routes.get(provider).cloned().ok_or_else(|| {
            let known = routes.keys().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let known = if known.is_empty() { "none".to_owned() } else { known };
            LlmFailure::new("NO_ADAPTER", format!("no adapter serves the provider `{provider}`; providers with one: {known}"))
        })
    }
}

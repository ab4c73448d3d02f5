//! The adapter: what the provider offers, and a call from its settings to its stream.

use std::sync::Arc;

use dsh_llm::{AdapterCall, LlmAdapter, ModelInfo, Purpose};
use dsh_message::{LlmFailure, RetryPolicy, SessionId, StreamChunk};
use dsh_runtime::{BoxFuture, PluginContext, SecretValue};
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, stream};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};

use crate::Config;
use crate::client::HttpClient;
use crate::exchange::Exchange;
use crate::history_cache::HistoryCache;
use crate::{body, catalog, credential};

/// Id of the provider's route.
const PROVIDER: &str = "deepseek-official";
const DEFAULT_BASE_URL: &str = "https://api.deepseek.com";
const BASE_URL_VARIABLE: &str = "DEEPSEEK_BASE_URL";
const AGENT: &str = concat!("dsh-build/", env!("CARGO_PKG_VERSION"));
const USER_ID: HeaderName = HeaderName::from_static("x-deepseek-harness-user-id");
const SESSION_ID: HeaderName = HeaderName::from_static("x-deepseek-harness-session-id");
const COMPACT: HeaderName = HeaderName::from_static("x-deepseek-harness-compact");

/// Speaks DeepSeek's chat-completions API.
pub(crate) struct DeepSeekAdapter {
    cx: PluginContext,
    config: Config,
    http: HttpClient,
    histories: HistoryCache,
    /// Random, of this process only, never stored.
    user_id: String,
}

impl DeepSeekAdapter {
    pub(crate) fn new(cx: PluginContext, config: Config) -> Self {
        let user_id = cx.ids().uuid();
        Self { cx, config, http: HttpClient::default(), histories: HistoryCache::default(), user_id }
    }

    /// Drops what is kept for a session.
    pub(crate) fn forget(&self, session: &SessionId) {
        self.histories.forget(session);
    }

    /// The call ready to be made, with key and settings of this moment.
    fn exchange(&self, call: &AdapterCall) -> Result<Exchange, LlmFailure> {
        let key = credential::read(&self.cx, &self.config.api_key_env, PROVIDER)?;
        let body = body::write(call, self.config.thinking, &self.histories)?;
        let url = self.url()?;
        let client = self.http.get(&url, self.cx.environment())?;
        let request = client.post(&url).headers(self.headers(call, &key)?).body(body).build();
        let request =
            request.map_err(|error| LlmFailure::new("INVALID_REQUEST", format!("`{url}` is no address: {}", error.without_url())))?;
        Ok(Exchange {
            client,
            request,
            idle: self.config.stream_idle_timeout(),
            clock: Arc::clone(self.cx.clock()),
            key,
            key_variable: self.config.api_key_env.variable().to_owned(),
        })
    }

    fn url(&self) -> Result<String, LlmFailure> {
        let variable = self.cx.environment().var(BASE_URL_VARIABLE);
        let base = self.config.base_url.as_deref().or(variable).unwrap_or(DEFAULT_BASE_URL).trim().trim_end_matches('/');
        // Credentials in the address would be a second key beside the one that is kept out of messages.
        if base.split_once("://").is_some_and(|(_, rest)| rest.split('/').next().is_some_and(|host| host.contains('@'))) {
            return Err(LlmFailure::new("INVALID_REQUEST", "the base URL must not hold a user name or password"));
        }
        Ok(format!("{base}/chat/completions"))
    }

    fn headers(&self, call: &AdapterCall, key: &SecretValue) -> Result<HeaderMap, LlmFailure> {
        let mut bearer =
            HeaderValue::try_from(format!("Bearer {}", key.reveal())).map_err(|_| credential::invalid(&self.config.api_key_env))?;
        bearer.set_sensitive(true);
        let mut headers = HeaderMap::from_iter([
            (AUTHORIZATION, bearer),
            (CONTENT_TYPE, HeaderValue::from_static("application/json")),
            (ACCEPT, HeaderValue::from_static("text/event-stream")),
            (USER_AGENT, HeaderValue::from_static(AGENT)),
        ]);
        // An id that no header can hold (a control character) goes without.
        let session = call.request.session.as_ref().map(|session| session.to_string());
        for (name, value) in [(USER_ID, Some(self.user_id.clone())), (SESSION_ID, session)] {
            if let Some(value) = value.and_then(|value| HeaderValue::try_from(value).ok()) {
                headers.insert(name, value);
            }
        }
        if call.request.purpose == Some(Purpose::Compaction) {
            headers.insert(COMPACT, HeaderValue::from_static("1"));
        }
        Ok(headers)
    }
}

impl LlmAdapter for DeepSeekAdapter {
    fn provider(&self) -> &str {
        PROVIDER
    }

    fn retry_policy(&self) -> RetryPolicy {
        self.config.retry_policy.policy()
    }

    fn list_models(&self) -> Vec<ModelInfo> {
        catalog::list(&self.config)
    }

    fn resolve_model<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelInfo, LlmFailure>> {
        Box::pin(async move { catalog::resolve(&self.config, model) })
    }

    fn stream(&self, call: AdapterCall) -> BoxStream<'static, Result<StreamChunk, LlmFailure>> {
        match self.exchange(&call) {
            Ok(exchange) => exchange.run(),
            Err(failure) => stream::once(async move { Err(failure) }).boxed(),
        }
    }
}

//! The plugin: it answers `agent/request-error`.

use std::sync::Arc;
use std::time::Duration;

use dsh_agent::{AgentRequestError, RequestError, RequestErrorAction};
use dsh_runtime::{Dispatcher, Flow, IdSource, Inject, Invariants, ListenerError, MountError, Next, PluginContext, plugin};
use dsh_session::{Session, SessionCommitting, SessionDisposed};

use crate::backoff::{backoff_ms, fraction};
use crate::chains::Chains;
use crate::event::{LlmRetry, RetryMode};
use crate::invariant;
use crate::policy_key::policy_key;
use crate::waits::{Waited, Waits};

/// What repetition needs.
#[derive(Inject)]
pub struct Inject {
    /// Registry of runtime checks.
    pub invariants: Option<Arc<dyn Invariants>>,
    /// Heard by the runtime checks of the records.
    pub committing: Dispatcher<SessionCommitting>,
    /// Heard by the runtime checks of the records.
    pub disposed: Dispatcher<SessionDisposed>,
}

/// Repeats failed model calls.
pub struct LlmRetries {
    ids: Arc<dyn IdSource>,
    chains: Chains,
    waits: Waits,
}

#[plugin(invariants(
    "Records of repetitions are well formed, lie in the open step and name its route.",
    "The repetitions of a chain are numbered without gaps, and each starts once after it was announced.",
))]
impl LlmRetries {
    /// Mounts it; with a registry of checks it installs those of the records.
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        if let Some(invariants) = &inject.invariants {
            let (committing, disposed) = (inject.committing, inject.disposed);
            let install = Box::new(move |cx: &PluginContext| invariant::install(cx, &committing, &disposed));
            invariants.register(env!("CARGO_PKG_NAME"), cx, install)?;
        }
        let waits = Waits::default();
        let ending = waits.clone();
        // Not earlier, when the binary only stops working: then the agents end, and their turns end the pauses with their own cause.
        cx.effects().push(move || async move { ending.close().await });
        Ok(Self { ids: Arc::clone(cx.ids()), chains: Chains::default(), waits })
    }

    /// Repeats what the provider's policy lets repeat.
    #[on(AgentRequestError)]
    async fn follow(&self, failed: &mut RequestError, next: Next<'_, AgentRequestError>) -> Flow<AgentRequestError> {
        match failed.retry_policy.max_retries {
            Some(_) => self.bounded(failed, next).await,
            None => self.endless(failed, next).await,
        }
    }

    /// Forgets what a session repeated.
    #[on(SessionDisposed)]
    fn forget(&self, session: &Arc<Session>) {
        self.chains.forget(&session.header().id);
    }
}

impl LlmRetries {
    async fn bounded(&self, failed: &mut RequestError, next: Next<'_, AgentRequestError>) -> Flow<AgentRequestError> {
        if !failed.retry_policy.codes.contains(&failed.failure.code) {
            return next.run(failed).await;
        }
        match self.repeat(failed).await.transpose() {
            Some(action) => next.decide(action),
            None => next.run(failed).await,
        }
    }

    async fn endless(&self, failed: &mut RequestError, next: Next<'_, AgentRequestError>) -> Flow<AgentRequestError> {
        let downstream = next.run(failed).await;
        match downstream.get() {
            Ok(RequestErrorAction::Retry) | Err(ListenerError::Invariant(_)) => return downstream,
            Ok(RequestErrorAction::Fail) => {}
            Err(error) => tracing::warn!(agent = %failed.agent.id(), %error, "a listener of the failed call failed; the call is repeated"),
        }
        let action = self.repeat(failed).await.map(|action| action.unwrap_or(RequestErrorAction::Fail));
        downstream.map(|_| action)
    }

    /// Logs a repetition and waits for it; nothing where there is none to be made.
    async fn repeat(&self, failed: &RequestError) -> Result<Option<RequestErrorAction>, ListenerError> {
        let (Some(leave), false) = (self.waits.begin(), failed.signal.is_cancelled()) else { return Ok(None) };
        let Some(record) = self.schedule(failed)? else { return Ok(None) };
        let session = failed.agent.session();
        session.append(&record).map_err(ListenerError::new)?;
        self.chains.advance(&session.header().id, record.clone());
        // Only a policy whose figures leave their range gives what no duration holds.
        let pause = Duration::try_from_secs_f64(record.delay_ms / 1_000.0).unwrap_or(failed.retry_policy.max_delay);
        match leave.pause(pause, &failed.signal).await {
            Waited::GivenUp => Ok(Some(RequestErrorAction::Fail)),
            Waited::Through => {
                session.append(&record.started()).map_err(ListenerError::new)?;
                Ok(Some(RequestErrorAction::Retry))
            }
        }
    }

    /// The next repetition of the call; nothing where the policy ends.
    fn schedule(&self, failed: &RequestError) -> Result<Option<LlmRetry>, ListenerError> {
        let policy = &failed.retry_policy;
        let policy_key = policy_key(policy).map_err(ListenerError::new)?;
        let last = self.chains.last(failed, &policy_key);
        let retry = last.as_ref().map_or(1, |last| last.retry + 1);
        if policy.max_retries.is_some_and(|most| retry > u64::from(most)) {
            return Ok(None);
        }
        let Some(delay_ms) = self.delay_ms(failed, retry) else { return Ok(None) };
        Ok(Some(LlmRetry {
            retry_id: last.map_or_else(|| self.ids.uuid(), |last| last.retry_id),
            turn: failed.turn,
            step: failed.step,
            provider: failed.provider.clone(),
            mode: if policy.max_retries.is_some() { RetryMode::Normal } else { RetryMode::Always },
            policy_key,
            retry,
            max_retries: policy.max_retries,
            delay_ms,
            failure: failed.failure.clone(),
        }))
    }

    /// The pause before repetition `retry`, in milliseconds; nothing where a bounded policy does not wait as long as it is asked to.
    fn delay_ms(&self, failed: &RequestError, retry: u64) -> Option<f64> {
        let policy = &failed.retry_policy;
        match failed.failure.provider_retry_after_ms {
            Some(asked) if Duration::from_millis(asked) <= policy.max_delay => Some(asked as f64),
            Some(_) if policy.max_retries.is_some() => None,
            _ => Some(backoff_ms(policy, retry, fraction(&self.ids.uuid()))),
        }
    }
}

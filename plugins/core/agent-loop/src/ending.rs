//! The end of an agent: once, in order, whoever asks for it.

use std::sync::Arc;

use dsh_agent::{Agent, KeepInbox};
use dsh_runtime::BoxFuture;
use dsh_session::catalogue::AbortCause;
use futures_util::FutureExt;
use futures_util::future::Shared;

use crate::loop_agent::LoopAgent;
use crate::phase::Phase;

/// The end under way; all who wait share it.
pub(crate) type Ending = Shared<BoxFuture<'static, ()>>;

impl LoopAgent {
    /// Ends the agent, or joins its end. From the first call on nothing starts any more.
    pub(crate) fn end(self: &Arc<Self>, keep: KeepInbox) -> Ending {
        if self.begin_ending() {
            self.cancel(AbortCause::Disposed, keep);
        }
        let start = || {
            // A task, so that the end is reached even when whoever asked for it gives up waiting.
            let ended = tokio::spawn(Arc::clone(self).wind_down());
            // Nothing in it panics outside of a guard; if it did, waiting on would help nobody.
            async move { ended.await.unwrap_or_default() }.boxed().shared()
        };
        self.ending.get_or_init(start).clone()
    }

    async fn wind_down(self: Arc<Self>) {
        self.when_idle().await;
        self.scope().effects().unwind().await;
        *self.phase() = Phase::Ended;
        self.services.agents.detach(&self.shared());
        self.services.sessions.detach(&self.session);
    }
}

//! Runtime check of requests: what an agent's loop sends a model is what its log says.

use std::sync::Arc;

use dsh_llm::{LlmStream, RequestMessages, StreamCall};
use dsh_message::Message;
use dsh_runtime::event::Around;
use dsh_runtime::{BoxFuture, Dispatcher, Flow, InvariantError, Next, PluginContext, Position};
use dsh_session::{EpochHeader, SessionStore};

/// Installs the check in front of every other listener of the stream.
pub(crate) fn install(cx: &PluginContext, sessions: &Arc<SessionStore>, stream: &Dispatcher<LlmStream>) {
    let check = RequestCheck { sessions: Arc::clone(sessions) };
    stream.listen((Position::First, cx.row()), None, Arc::new(check), cx.effects());
}

struct RequestCheck {
    sessions: Arc<SessionStore>,
}

impl Around<LlmStream> for RequestCheck {
    fn call<'a>(&'a self, call: &'a mut StreamCall, next: Next<'a, LlmStream>) -> BoxFuture<'a, Flow<LlmStream>> {
        match self.check(call) {
            Ok(()) => next.run(call),
            Err(rule) => {
                let broken = InvariantError::new(env!("CARGO_PKG_NAME"), rule);
                Box::pin(async move { next.decide(Err(broken.into())) })
            }
        }
    }
}

impl RequestCheck {
    /// Provider and effort are not compared: they may be changed after the header was written.
    fn check(&self, call: &StreamCall) -> Result<(), String> {
        let RequestMessages::Logged(history) = &call.request().messages else { return Ok(()) };
        let id = history.session();
        let session = self.sessions.get(id).ok_or_else(|| format!("a request speaks of session `{id}`, which is not live"))?;
        if session.open_step().is_none() {
            return Err(format!("session `{id}` sends a request outside a step"));
        }
        if !same_messages(session.history().messages(), history.messages()) {
            return Err(format!("the messages of a request of session `{id}` are not those of its log"));
        }
        let header = session.request_header().ok_or_else(|| format!("session `{id}` sends a request without a header on record"))?;
        let sent = EpochHeader {
            config: call.config().clone(),
            adapter_defaults: header.adapter_defaults,
            system: call.request().system.clone(),
            tools: Some(call.request().tools.clone()),
        }
        .canonical();
        let same = sent.config.model == header.config.model
            && sent.config.temperature == header.config.temperature
            && sent.config.max_tokens == header.config.max_tokens
            && sent.config.stop == header.config.stop
            && sent.system == header.system
            && sent.tools == header.tools;
        if same { Ok(()) } else { Err(format!("a request of session `{id}` differs from the header on record")) }
    }
}

/// Whether the messages are equal. As a rule they are the same list, which is seen without reading it.
fn same_messages(logged: &[Arc<Message>], sent: &[Arc<Message>]) -> bool {
    let same_list = std::ptr::eq(logged, sent);
    same_list || logged.len() == sent.len() && logged.iter().zip(sent).all(|(logged, sent)| Arc::ptr_eq(logged, sent) || logged == sent)
}

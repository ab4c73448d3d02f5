//! What a model sees was logged: the history of a request comes from a session's log and cannot be made or added to.

use dsh_llm::{LlmRequest, RequestMessages};
use dsh_message::Message;
use dsh_session::{History, Session};
use std::sync::Arc;

fn made(session: &Session, messages: Vec<Arc<Message>>) -> RequestMessages {
    RequestMessages::Logged(History { session: session.header().id.clone(), messages: Arc::new(messages) })
}

fn constructed(session: &Session, messages: Vec<Arc<Message>>) -> RequestMessages {
    RequestMessages::Logged(History::new(session.header().id.clone(), Arc::new(messages)))
}

fn added(request: &mut LlmRequest, message: Arc<Message>) {
    if let RequestMessages::Logged(history) = &mut request.messages {
        history.messages().push(message);
    }
}

fn main() {}

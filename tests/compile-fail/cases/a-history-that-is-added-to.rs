//! What a model sees was logged: a message enters the history as an event of the session's log, and in no other way.

use dsh_llm::{LlmRequest, RequestMessages};
use dsh_message::Message;
use dsh_session::{History, Session};
use std::sync::Arc;

fn pushed(request: &mut LlmRequest, message: Arc<Message>) {
    if let RequestMessages::Logged(history) = &mut request.messages {
        history.messages().push(message);
    }
}

fn constructed(session: &Session, messages: Vec<Arc<Message>>) -> RequestMessages {
    RequestMessages::Logged(History::new(session.header().id.clone(), Arc::new(messages)))
}

fn main() {}

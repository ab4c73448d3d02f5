//! What a model sees was logged: only a session's log makes the history of a request.

use dsh_llm::RequestMessages;
use dsh_message::Message;
use dsh_session::{History, Session};
use std::sync::Arc;

fn made(session: &Session, messages: Vec<Arc<Message>>) -> RequestMessages {
    RequestMessages::Logged(History { session: session.header().id.clone(), messages: Arc::new(messages) })
}

fn main() {}

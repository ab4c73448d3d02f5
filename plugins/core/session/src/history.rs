//! The history that a model is sent.

use std::sync::Arc;

use dsh_message::{Message, SessionId};

/// The messages of a session as its log derives them. Only [`crate::Session::history`] makes one: what a model sees was logged.
#[derive(Clone, Debug)]
pub struct History {
    session: SessionId,
    messages: Arc<Vec<Arc<Message>>>,
}

impl History {
    pub(crate) fn new(session: SessionId, messages: Arc<Vec<Arc<Message>>>) -> Self {
        Self { session, messages }
    }

    /// The session whose log it was derived from.
    #[must_use]
    pub fn session(&self) -> &SessionId {
        &self.session
    }

    /// The messages in order.
    #[must_use]
    pub fn messages(&self) -> &[Arc<Message>] {
        &self.messages
    }
}

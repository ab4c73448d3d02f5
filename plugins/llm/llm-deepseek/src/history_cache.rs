//! Serialised histories, one for each live session: a step serialises only the messages that are new since the last.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use dsh_message::{LlmFailure, Message, SessionId};
use dsh_session::History;

use crate::wire_message;

/// What the requests of sessions were made of. An entry ends with [`HistoryCache::forget`].
#[derive(Default)]
pub(crate) struct HistoryCache {
    sessions: Mutex<HashMap<SessionId, Arc<Mutex<Serialised>>>>,
}

impl HistoryCache {
    /// Appends the history to `out` as members of a JSON array.
    pub(crate) fn write(&self, history: &History, out: &mut String) -> Result<(), LlmFailure> {
        let entry = {
            let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(sessions.entry(history.session().clone()).or_default())
        };
        let mut serialised = entry.lock().unwrap_or_else(PoisonError::into_inner);
        serialised.update(history.messages())?;
        out.push_str(&serialised.json);
        Ok(())
    }

    pub(crate) fn forget(&self, session: &SessionId) {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner).remove(session);
    }
}

#[derive(Default)]
struct Serialised {
    /// Each message with the length of `json` after it. Messages of a log never change, so the pointer tells them apart.
    messages: Vec<(Arc<Message>, usize)>,
    json: String,
}

impl Serialised {
    fn update(&mut self, history: &[Arc<Message>]) -> Result<(), LlmFailure> {
        let kept = self.messages.iter().zip(history).take_while(|((held, _), new)| Arc::ptr_eq(held, new)).count();
        self.messages.truncate(kept);
        self.json.truncate(self.messages.last().map_or(0, |(_, end)| *end));
        for message in &history[kept..] {
            wire_message::write(message, &mut self.json)?;
            self.messages.push((Arc::clone(message), self.json.len()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use dsh_json::Json;
    use dsh_message::{ContentBlock, Message, MessageSource};

    use super::Serialised;

    fn message(text: &str) -> Arc<Message> {
        Arc::new(Message::user("m".into(), vec![ContentBlock::text(text)], MessageSource::User))
    }

    #[test]
    fn only_new_messages_are_serialised() {
        let mut held = Serialised::default();
        let mut history = vec![message("one"), message("two")];
        held.update(&history).unwrap();
        // A mark in the kept text shows whether it is written again.
        held.json = held.json.replace("one", "ONE");
        history.push(message("three"));
        held.update(&history).unwrap();
        assert_eq!(held.json, r#"{"role":"user","content":"ONE"},{"role":"user","content":"two"},{"role":"user","content":"three"}"#);
    }

    #[test]
    fn a_replaced_span_is_written_again_from_its_start() {
        let mut held = Serialised::default();
        let first = message("one");
        held.update(&[Arc::clone(&first), message("two"), message("three")]).unwrap();
        held.update(&[Arc::clone(&first), message("summary")]).unwrap();
        assert_eq!(held.json, r#"{"role":"user","content":"one"},{"role":"user","content":"summary"}"#);
        held.update(&[]).unwrap();
        assert_eq!(held.json, "");
    }

    #[test]
    fn a_message_that_cannot_be_sent_leaves_nothing_behind() {
        let mut held = Serialised::default();
        let first = message("one");
        let image = Json::Object(vec![("type".to_owned(), Json::Text("image".into()))]);
        let odd = Message::user("m".into(), vec![ContentBlock::text("x"), ContentBlock::Other(image)], MessageSource::User);
        assert_eq!(held.update(&[Arc::clone(&first), Arc::new(odd)]).unwrap_err().code, "UNSUPPORTED_CONTENT");
        held.update(&[first, message("two")]).unwrap();
        assert_eq!(held.json, r#"{"role":"user","content":"one"},{"role":"user","content":"two"}"#);
    }
}

//! Requests as text, one for each live session: a step serialises only the messages that are new since the last, and copies none.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use dsh_message::{LlmFailure, Message, SessionId};
use dsh_session::History;

use crate::wire_message;

/// What the requests of sessions were made of. An entry ends with [`HistoryCache::forget`].
#[derive(Default)]
pub(crate) struct HistoryCache {
    sessions: Mutex<HashMap<SessionId, Arc<Mutex<Serialised>>>>,
}

impl HistoryCache {
    /// The text `start`, the history as members of the JSON array that it opens, and the text `end`.
    pub(crate) fn body(&self, history: &History, start: &str, end: &str) -> Result<Bytes, LlmFailure> {
        let entry = {
            let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(sessions.entry(history.session().clone()).or_default())
        };
        let mut serialised = entry.lock().unwrap_or_else(PoisonError::into_inner);
        serialised.body(history.messages(), start, end)
    }

    pub(crate) fn forget(&self, session: &SessionId) {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner).remove(session);
    }
}

#[derive(Default)]
struct Serialised {
    /// What the text begins with, before the messages.
    start: String,
    /// Each message with the length of the text after it. Messages of a log never change, so the pointer tells them apart.
    messages: Vec<(Arc<Message>, usize)>,
    /// The last request. It is shared with the client until that has sent it, and changed in place afterwards.
    text: Arc<Vec<u8>>,
}

/// The text while a request uses it.
struct Shared(Arc<Vec<u8>>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Serialised {
    fn body(&mut self, history: &[Arc<Message>], start: &str, end: &str) -> Result<Bytes, LlmFailure> {
        if self.start != start {
            start.clone_into(&mut self.start);
            self.messages.clear();
            self.text = Arc::new(start.as_bytes().to_vec());
        }
        let kept = self.messages.iter().zip(history).take_while(|((held, _), new)| Arc::ptr_eq(held, new)).count();
        self.messages.truncate(kept);
        // A copy only while an earlier request is still being sent.
        let text = Arc::make_mut(&mut self.text);
        text.truncate(self.messages.last().map_or(self.start.len(), |(_, end)| *end));
        let mut member = String::new();
        for message in &history[kept..] {
            member.clear();
            wire_message::write(message, &mut member)?;
            if !text.ends_with(b"[") {
                text.push(b',');
            }
            text.extend_from_slice(member.as_bytes());
            self.messages.push((Arc::clone(message), text.len()));
        }
        text.extend_from_slice(end.as_bytes());
        Ok(Bytes::from_owner(Shared(Arc::clone(&self.text))))
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

    /// The history between `[` and `]`.
    fn body(held: &mut Serialised, history: &[Arc<Message>]) -> String {
        String::from_utf8(held.body(history, "[", "]").unwrap().to_vec()).unwrap()
    }

    #[test]
    fn only_new_messages_are_serialised() {
        let mut held = Serialised::default();
        let mut history = vec![message("one"), message("two")];
        body(&mut held, &history);
        // A mark in the kept text shows whether it is written again.
        let marked = String::from_utf8(held.text.to_vec()).unwrap().replace("one", "ONE");
        held.text = Arc::new(marked.into_bytes());
        history.push(message("three"));
        assert_eq!(
            body(&mut held, &history),
            r#"[{"role":"user","content":"ONE"},{"role":"user","content":"two"},{"role":"user","content":"three"}]"#
        );
    }

    #[test]
    fn a_request_that_is_still_sent_keeps_its_text() {
        let mut held = Serialised::default();
        let mut history = vec![message("one")];
        let first = held.body(&history, "[", "]").unwrap();
        history.push(message("two"));
        let second = held.body(&history, "[", "]").unwrap();
        assert_eq!(&first[..], br#"[{"role":"user","content":"one"}]"#);
        assert_eq!(&second[..], br#"[{"role":"user","content":"one"},{"role":"user","content":"two"}]"#);
        drop((first, second));
        let kept = held.text.as_ptr();
        assert_eq!(held.body(&history, "[", "]").unwrap().as_ptr(), kept, "a text that nobody uses is not copied");
    }

    #[test]
    fn another_start_and_another_end_are_taken_up() {
        let mut held = Serialised::default();
        let history = [message("one")];
        for (start, end) in [("[", "]"), ("[{}", "]"), ("[{}", ",0]"), ("[", "]")] {
            let comma = if start == "[" { "" } else { "," };
            let expected = format!(r#"{start}{comma}{{"role":"user","content":"one"}}{end}"#);
            assert_eq!(&held.body(&history, start, end).unwrap()[..], expected.as_bytes());
        }
    }

    #[test]
    fn a_replaced_span_is_written_again_from_its_start() {
        let mut held = Serialised::default();
        let first = message("one");
        body(&mut held, &[Arc::clone(&first), message("two"), message("three")]);
        let replaced = body(&mut held, &[Arc::clone(&first), message("summary")]);
        assert_eq!(replaced, r#"[{"role":"user","content":"one"},{"role":"user","content":"summary"}]"#);
        assert_eq!(body(&mut held, &[]), "[]");
    }

    #[test]
    fn a_message_that_cannot_be_sent_leaves_nothing_behind() {
        let mut held = Serialised::default();
        let first = message("one");
        let image = Json::Object(vec![("type".to_owned(), Json::Text("image".into()))]);
        let odd = Message::user("m".into(), vec![ContentBlock::text("x"), ContentBlock::Other(image)], MessageSource::User);
        let refused = held.body(&[Arc::clone(&first), Arc::new(odd)], "[", "]").unwrap_err();
        assert_eq!(refused.code, "UNSUPPORTED_CONTENT");
        let sent = body(&mut held, &[first, message("two")]);
        assert_eq!(sent, r#"[{"role":"user","content":"one"},{"role":"user","content":"two"}]"#);
    }
}

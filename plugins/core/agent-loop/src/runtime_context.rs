//! Runtime context: what changes while an agent works enters the conversation as a message when it changed.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use dsh_json::JsString;
use dsh_message::{ContentBlock, Message, MessageSource, PluginSource, SnapshotSection};
use dsh_session::catalogue::UserMessage;
use dsh_session::{SeedFold, SessionEvent};

use crate::loop_agent::LoopAgent;

/// Name under which the log knows the producer of snapshots.
const PRODUCER: &str = "@deepseek-ai/dsh-system-prompt";
const HEADLINE: &str = "Current runtime context. It replaces every earlier one in this conversation.";
const CLEARED: &str = "There is no runtime context any more; disregard the earlier ones.";

/// Whether a message tells the runtime context, or that there is none any more.
pub(crate) fn is_snapshot(message: &Message) -> bool {
    matches!(&message.source, MessageSource::Plugin(source) if source.plugin == PRODUCER)
}

/// Whether a stored log ever held such a message.
#[derive(Default)]
pub(crate) struct SnapshotFold {
    pub(crate) seen: bool,
}

impl SeedFold for SnapshotFold {
    fn take(&mut self, event: &SessionEvent) {
        self.seen |= event.data::<UserMessage>().is_some_and(|UserMessage(message)| is_snapshot(&message));
    }
}

impl LoopAgent {
    /// The message to add when the contexts differ from what the conversation last said of them and still holds.
    pub(crate) fn snapshot(&self, contexts: &[(String, String)]) -> Option<Arc<Message>> {
        if contexts.is_empty() && !self.had_snapshot.load(Ordering::Relaxed) {
            return None;
        }
        let (text, source) = if contexts.is_empty() { cleared() } else { told(contexts) };
        let history = self.session.history();
        let last = history.messages().iter().rev().find(|message| is_snapshot(message));
        if last.is_some_and(|last| ContentBlock::joined_text(&last.content) == text.as_str()) {
            return None;
        }
        let id = self.services.ids.uuid().into();
        Some(Arc::new(Message::user(id, vec![ContentBlock::text(text)], MessageSource::Plugin(source))))
    }
}

fn cleared() -> (String, PluginSource) {
    (CLEARED.to_owned(), PluginSource { plugin: PRODUCER.to_owned(), form: None, sections: None, summary: None })
}

fn told(contexts: &[(String, String)]) -> (String, PluginSource) {
    let texts = contexts.iter().map(|(_, text)| text.as_str());
    let text = std::iter::once(HEADLINE).chain(texts).collect::<Vec<_>>().join("\n\n");
    let sections = contexts.iter().map(|(name, text)| SnapshotSection { name: name.clone(), text: JsString::from(text.as_str()) });
    let source =
        PluginSource { plugin: PRODUCER.to_owned(), form: Some("snapshot".to_owned()), sections: Some(sections.collect()), summary: None };
    (text, source)
}

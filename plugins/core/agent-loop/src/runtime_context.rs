//! Runtime context: what changes while an agent works enters the conversation as a message when it changed.

use std::sync::Arc;

use dsh_json::JsString;
use dsh_message::{ContentBlock, Message, MessageSource, PluginSource, SnapshotSection};
use dsh_runtime::IdSource;
use dsh_session::History;

/// Name under which the log knows the producer of snapshots.
const PRODUCER: &str = "@deepseek-ai/dsh-system-prompt";
const HEADLINE: &str = "Current runtime context. It replaces every earlier one in this conversation.";
const CLEARED: &str = "There is no runtime context any more; disregard the earlier ones.";

/// The message to add when the contexts differ from what the conversation last said of them.
pub(crate) fn candidate(history: &History, contexts: &[(String, String)], ids: &dyn IdSource) -> Option<Arc<Message>> {
    let last = history.messages().iter().rev().find_map(|message| match &message.source {
        MessageSource::Plugin(source) if source.plugin == PRODUCER => Some((source, ContentBlock::joined_text(&message.content))),
        _ => None,
    });
    let (text, source) = match (contexts.is_empty(), &last) {
        (true, None) => return None,
        (true, Some((source, _))) if source.form.is_none() => return None,
        (true, Some(_)) => (CLEARED.to_owned(), PluginSource { plugin: PRODUCER.to_owned(), form: None, sections: None, summary: None }),
        (false, _) => (snapshot_text(contexts), snapshot_source(contexts)),
    };
    if last.is_some_and(|(_, said)| said == text.as_str()) {
        return None;
    }
    let message = Message::user(ids.uuid().into(), vec![ContentBlock::text(text)], MessageSource::Plugin(source));
    Some(Arc::new(message))
}

fn snapshot_text(contexts: &[(String, String)]) -> String {
    let texts = contexts.iter().map(|(_, text)| text.as_str());
    std::iter::once(HEADLINE).chain(texts).collect::<Vec<_>>().join("\n\n")
}

fn snapshot_source(contexts: &[(String, String)]) -> PluginSource {
    let sections = contexts.iter().map(|(name, text)| SnapshotSection { name: name.clone(), text: JsString::from(text.as_str()) });
    PluginSource { plugin: PRODUCER.to_owned(), form: Some("snapshot".to_owned()), sections: Some(sections.collect()), summary: None }
}

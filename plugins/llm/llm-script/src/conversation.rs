//! What a script needs to know of a conversation.

use std::sync::Arc;

use dsh_message::{ContentBlock, Message, MessageSource, Role};

/// Facts of the messages of a request.
pub(crate) struct Conversation<'a> {
    messages: &'a [Arc<Message>],
}

impl<'a> Conversation<'a> {
    pub(crate) fn of(messages: &'a [Arc<Message>]) -> Self {
        Self { messages }
    }

    /// Replies so far.
    pub(crate) fn replies(&self) -> usize {
        replies(self.messages)
    }

    /// Replies since the last message of a person: the number of the step that is due. Context that plugins add does not count.
    pub(crate) fn replies_in_turn(&self) -> usize {
        let start = self.messages.iter().rposition(|message| message.source.kind() == "user").unwrap_or(0);
        replies(&self.messages[start..])
    }

    /// Text of the last tool result or message of a person.
    pub(crate) fn last_input(&self) -> String {
        let input = |message: &&Arc<Message>| matches!(message.source, MessageSource::Tool { .. }) || message.source.kind() == "user";
        let last = self.messages.iter().rev().find(input);
        last.map(|message| ContentBlock::joined_text(&message.content).to_string()).unwrap_or_default()
    }

    /// Length of all texts in UTF-16 units.
    pub(crate) fn length(&self) -> usize {
        self.messages.iter().map(|message| ContentBlock::joined_text(&message.content).utf16_len()).sum()
    }
}

fn replies(messages: &[Arc<Message>]) -> usize {
    messages.iter().filter(|message| message.role == Role::Assistant).count()
}

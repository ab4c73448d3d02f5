//! The title that a prompt gives without asking a model.

use dsh_message::{ContentBlock, Message};

use crate::clean::clean;
use crate::config::Config;

/// The title of a message; `None` when the message is not a person's or shows no text.
pub fn title(message: &Message, config: &Config) -> Option<String> {
    if message.source.kind() != "user" {
        return None;
    }
    let texts = message.content.iter().filter_map(|block| match block {
        ContentBlock::Text(text) => Some(text.to_lossy()),
        _ => None,
    });
    let line = clean(&texts.collect::<Vec<_>>().join("\n"));
    let words = line.split(' ').take(config.fallback_max_words).collect::<Vec<_>>().join(" ");
    let title = words[..words.floor_char_boundary(config.fallback_max_bytes)].trim_end();
    (!title.is_empty()).then(|| title.to_owned())
}

//! The title in the log.

use dsh_runtime::session_event;
use serde::{Deserialize, Serialize};

/// The session's title from here on; the last one counts.
#[session_event(name = "session/title")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionTitle {
    /// The title.
    pub title: String,
    /// Numbers of the messages that it was made from; empty exactly when a person chose it.
    pub message_seqs: Vec<u64>,
    /// Who made it.
    pub source: TitleSource,
}

/// Who made a title.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum TitleSource {
    /// This plugin, from the first prompt's words.
    Fallback,
    /// A title provider.
    Provider {
        /// Its id.
        provider: String,
        /// The model that it asked.
        #[serde(skip_serializing_if = "Option::is_none")]
        model: Option<TitleModel>,
    },
    /// A person.
    User,
}

/// The model that made a title.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TitleModel {
    /// Route.
    pub provider: String,
    /// Model id.
    pub model: String,
}

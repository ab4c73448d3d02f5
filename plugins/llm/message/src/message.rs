//! Messages.

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use crate::{CallId, ContentBlock, MessageId, MessageSource};

/// Who speaks. No message of a log is of the system: its text lives in the request header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A person, a tool or a plugin.
    User,
    /// A model.
    Assistant,
}

/// A message of a session.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Message {
    /// Identity, kept from the inbox through the log into requests.
    pub id: MessageId,
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: Vec<ContentBlock>,
    /// Where it came from.
    pub source: MessageSource,
}

impl Message {
    /// A message of a person or a plugin.
    #[must_use]
    pub fn user(id: MessageId, content: Vec<ContentBlock>, source: MessageSource) -> Self {
        Self { id, role: Role::User, content, source }
    }

    /// A model's reply.
    #[must_use]
    pub fn assistant(id: MessageId, content: Vec<ContentBlock>, source: MessageSource) -> Self {
        Self { id, role: Role::Assistant, content, source }
    }

    /// A tool's result: one result block of the call that its source names.
    #[must_use]
    pub fn tool_result(id: MessageId, call_id: CallId, content: Vec<ContentBlock>, is_error: bool) -> Self {
        let block = ContentBlock::ToolResult { tool_call_id: call_id.clone(), content, is_error: Some(is_error) };
        Self { id, role: Role::User, content: vec![block], source: MessageSource::Tool { call_id } }
    }

    /// Checks what the log requires of a message beyond its members' types.
    ///
    /// # Errors
    /// Which rule is broken.
    pub fn validate(&self) -> Result<(), &'static str> {
        match (&self.source, self.role) {
            (MessageSource::Model { .. }, Role::User) => Err("a user message has the source of a model"),
            (source, Role::Assistant) if !matches!(source, MessageSource::Model { .. }) => {
                Err("an assistant message has another source than a model")
            }
            (MessageSource::Tool { call_id }, Role::User) => match self.content.as_slice() {
                [ContentBlock::ToolResult { tool_call_id, .. }] if tool_call_id == call_id => Ok(()),
                _ => Err("a tool message holds other content than the result of the call that its source names"),
            },
            _ => Ok(()),
        }
    }
}

impl Serialize for Message {
    /// Members in the order in which the log's writer puts them, which depends on who speaks.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Message", 4)?;
        match (&self.source, self.role) {
            (MessageSource::Tool { .. }, _) => {
                out.serialize_field("source", &self.source)?;
                out.serialize_field("content", &self.content)?;
                out.serialize_field("role", &self.role)?;
            }
            (_, Role::User) => {
                out.serialize_field("content", &self.content)?;
                out.serialize_field("source", &self.source)?;
                out.serialize_field("role", &self.role)?;
            }
            (_, Role::Assistant) => {
                out.serialize_field("role", &self.role)?;
                out.serialize_field("content", &self.content)?;
                out.serialize_field("source", &self.source)?;
            }
        }
        out.serialize_field("id", &self.id)?;
        out.end()
    }
}

//! Content blocks of messages.

use dsh_json::{JsString, Json};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::CallId;
use crate::tagged::{TypeMember, member, object};

/// A piece of a message's content.
#[derive(Clone, Debug, PartialEq)]
pub enum ContentBlock {
    /// `text`: words for people or the model.
    Text(JsString),
    /// `reasoning`: what a model thought.
    Reasoning(JsString),
    /// `tool-call`: a model asks for a tool.
    ToolCall {
        /// The call.
        id: CallId,
        /// The tool's name as the model wrote it.
        name: JsString,
        /// JSON text as the model wrote it, never parsed here.
        arguments: JsString,
    },
    /// `tool-result`: what a tool answered.
    ToolResult {
        /// The call that it answers.
        tool_call_id: CallId,
        /// The answer.
        content: Vec<ContentBlock>,
        /// Whether it is a failure; absent in records of other writers.
        is_error: Option<bool>,
    },
    /// Any other block, kept as it came.
    Other(Json),
}

impl ContentBlock {
    /// A text block.
    #[must_use]
    pub fn text(text: impl Into<JsString>) -> Self {
        Self::Text(text.into())
    }

    /// The name of its type on the wire.
    #[must_use]
    pub fn type_name(&self) -> String {
        match self {
            Self::Text(_) => "text".to_owned(),
            Self::Reasoning(_) => "reasoning".to_owned(),
            Self::ToolCall { .. } => "tool-call".to_owned(),
            Self::ToolResult { .. } => "tool-result".to_owned(),
            Self::Other(json) => json.get("type").and_then(Json::as_text).map(ToString::to_string).unwrap_or_default(),
        }
    }

    /// The text of its text blocks joined, those of nested results included.
    #[must_use]
    pub fn joined_text(blocks: &[Self]) -> JsString {
        let parts: Vec<JsString> = blocks
            .iter()
            .filter_map(|block| match block {
                Self::Text(text) => Some(text.clone()),
                Self::ToolResult { content, .. } => Some(Self::joined_text(content)),
                _ => None,
            })
            .collect();
        JsString::concat(&parts)
    }
}

impl Serialize for ContentBlock {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => words(serializer, "text", text),
            Self::Reasoning(text) => words(serializer, "reasoning", text),
            Self::ToolCall { id, name, arguments } => {
                let mut out = serializer.serialize_struct("ToolCall", 4)?;
                out.serialize_field("type", "tool-call")?;
                out.serialize_field("id", id)?;
                out.serialize_field("name", name)?;
                out.serialize_field("arguments", arguments)?;
                out.end()
            }
            Self::ToolResult { tool_call_id, content, is_error } => {
                let mut out = serializer.serialize_struct("ToolResult", 4)?;
                out.serialize_field("type", "tool-result")?;
                out.serialize_field("toolCallId", tool_call_id)?;
                out.serialize_field("content", content)?;
                if let Some(is_error) = is_error {
                    out.serialize_field("isError", is_error)?;
                }
                out.end()
            }
            Self::Other(json) => json.serialize(serializer),
        }
    }
}

fn words<S: Serializer>(serializer: S, kind: &'static str, text: &JsString) -> Result<S::Ok, S::Error> {
    let mut out = serializer.serialize_struct("Words", 2)?;
    out.serialize_field("type", kind)?;
    out.serialize_field("text", text)?;
    out.end()
}

#[derive(Deserialize)]
struct Words {
    text: JsString,
}

#[derive(Deserialize)]
struct Call {
    id: CallId,
    name: JsString,
    arguments: JsString,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    tool_call_id: CallId,
    content: Vec<ContentBlock>,
    is_error: Option<bool>,
}

impl<'de> Deserialize<'de> for ContentBlock {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = object(deserializer)?;
        Ok(match member::<TypeMember, D::Error>(&raw)?.r#type.as_str() {
            "text" => Self::Text(member::<Words, D::Error>(&raw)?.text),
            "reasoning" => Self::Reasoning(member::<Words, D::Error>(&raw)?.text),
            "tool-call" => {
                let Call { id, name, arguments } = member::<_, D::Error>(&raw)?;
                Self::ToolCall { id, name, arguments }
            }
            "tool-result" => {
                let Answer { tool_call_id, content, is_error } = member::<_, D::Error>(&raw)?;
                Self::ToolResult { tool_call_id, content, is_error }
            }
            _ => Self::Other(member::<_, D::Error>(&raw)?),
        })
    }
}

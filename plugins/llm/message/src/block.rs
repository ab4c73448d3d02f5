//! Content blocks of messages.

use dsh_json::{JsString, Json, RawValue};
use serde::de::Error as _;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::CallId;
use crate::tagged::{TypeMember, object};

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
struct Answer<'a> {
    tool_call_id: CallId,
    #[serde(borrow)]
    content: Vec<&'a RawValue>,
    is_error: Option<bool>,
}

/// Deepest nesting of results in results that is read; each level takes a piece of the stack.
const MOST_DEPTH: usize = 16;

impl<'de> Deserialize<'de> for ContentBlock {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(&object(deserializer)?, MOST_DEPTH).map_err(D::Error::custom)
    }
}

fn read(raw: &RawValue, depth: usize) -> Result<ContentBlock, serde_json::Error> {
    let text = raw.get();
    Ok(match serde_json::from_str::<TypeMember>(text)?.r#type.as_str() {
        "text" => ContentBlock::Text(serde_json::from_str::<Words>(text)?.text),
        "reasoning" => ContentBlock::Reasoning(serde_json::from_str::<Words>(text)?.text),
        "tool-call" => {
            let Call { id, name, arguments } = serde_json::from_str(text)?;
            ContentBlock::ToolCall { id, name, arguments }
        }
        "tool-result" => {
            let inside = depth.checked_sub(1).ok_or_else(|| serde_json::Error::custom("results are nested too deeply"))?;
            let Answer { tool_call_id, content, is_error } = serde_json::from_str(text)?;
            let content = content.into_iter().map(|block| read(block, inside)).collect::<Result<_, _>>()?;
            ContentBlock::ToolResult { tool_call_id, content, is_error }
        }
        _ => ContentBlock::Other(serde_json::from_str(text)?),
    })
}

//! What a body returns.

use dsh_json::{JsString, Json};
use dsh_message::ContentBlock;
use serde_json::Value;

/// A body's success.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolOutput {
    /// The result as data, for programs and observers.
    pub value: Value,
    /// The result as the model reads it.
    pub content: Vec<ContentBlock>,
    /// What clients need to show the result; kept in the log, never shown to the model.
    pub meta: Option<Json>,
}

impl ToolOutput {
    /// A value with the content that stands for it.
    #[must_use]
    pub fn new(value: Value, content: Vec<ContentBlock>) -> Self {
        Self { value, content, meta: None }
    }

    /// A text that is both. In the value, U+FFFD stands for a lone surrogate.
    #[must_use]
    pub fn text(text: impl Into<JsString>) -> Self {
        let text = text.into();
        Self::new(Value::String(text.to_lossy().into_owned()), vec![ContentBlock::Text(text)])
    }

    /// A value that the model reads as it is: a string verbatim, other values as compact JSON.
    #[must_use]
    pub fn of_value(value: Value) -> Self {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Self::new(value, vec![ContentBlock::text(text)])
    }

    /// Adds what clients need to show the result.
    #[must_use]
    pub fn with_meta(self, meta: Json) -> Self {
        Self { meta: Some(meta), ..self }
    }
}

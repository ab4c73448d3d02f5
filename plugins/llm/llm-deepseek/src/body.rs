//! The body of a request.

use bytes::Bytes;
use dsh_json::{JsString, to_text};
use dsh_llm::{AdapterCall, RequestMessages};
use dsh_message::LlmFailure;
use dsh_session::ToolSchema;
use serde::Serialize;
use serde_json::Value;

use crate::config::Thinking;
use crate::effort::{Reasoning, reasoning};
use crate::history_cache::HistoryCache;
use crate::wire_message;

#[derive(Serialize)]
struct Settings<'a> {
    model: &'a str,
    stream: bool,
    stream_options: StreamOptions,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop: Option<&'a [String]>,
    #[serde(flatten)]
    reasoning: Reasoning,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a Value,
}

/// Writes the body. The history in it is kept as text and shared with the client, so that a long one is neither serialised nor copied
/// again for each step.
pub(crate) fn write(call: &AdapterCall, thinking: Option<Thinking>, histories: &HistoryCache) -> Result<Bytes, LlmFailure> {
    let (config, request) = (&call.config, &call.request);
    let settings = Settings {
        model: &config.model,
        stream: true,
        stream_options: StreamOptions { include_usage: true },
        tools: request.tools.iter().map(tool).collect(),
        temperature: config.temperature,
        max_tokens: config.max_tokens,
        stop: config.stop.as_deref(),
        reasoning: reasoning(thinking, config.reasoning_effort.as_deref(), request.purpose)?,
    };
    let settings = to_text(&settings).map_err(|error| LlmFailure::new("INVALID_REQUEST", error.to_string()))?;
    let system = system(request.system.as_ref())?;
    // Both are whole JSON: the settings an object that is not empty, the messages the members of an array.
    let (start, end) = ("{\"messages\":[", ["],", &settings[1..]].concat());
    match &request.messages {
        RequestMessages::Logged(history) => histories.body(history, &[start, &system].concat(), &end),
        RequestMessages::Auxiliary(messages) => {
            let mut members = system;
            messages.iter().try_for_each(|message| wire_message::write(message, &mut members))?;
            Ok([start, &members, &end].concat().into())
        }
    }
}

/// The system prompt as a message; empty when there is none.
fn system(prompt: Option<&JsString>) -> Result<String, LlmFailure> {
    let mut out = String::new();
    if let Some(prompt) = prompt.filter(|prompt| !prompt.is_empty()) {
        wire_message::write_system(prompt, &mut out)?;
    }
    Ok(out)
}

fn tool(schema: &ToolSchema) -> Tool<'_> {
    let ToolSchema { name, description, parameters } = schema;
    Tool { r#type: "function", function: Function { name, description, parameters } }
}

//! A model request in words.

use dsh_llm::AdapterCall;
use dsh_session::AdapterDefaults;

use super::transcript::{config_text, message_text, tool_names};

/// Route and settings, system prompt, tools, then the messages.
pub fn line(call: &AdapterCall) -> String {
    let mut parts = vec![config_text(&call.config, AdapterDefaults::default())];
    if let Some(system) = &call.request.system {
        parts.push(format!("system={system:?}"));
    }
    if !call.request.tools.is_empty() {
        parts.push(format!("tools={}", tool_names(&call.request.tools)));
    }
    let messages: Vec<String> = call.request.messages.as_slice().iter().map(|message| message_text(message)).collect();
    format!("{}: {}", parts.join(" "), messages.join(", "))
}

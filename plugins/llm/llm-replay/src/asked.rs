//! A request in named parts, so that two can be compared part by part.

use std::sync::Arc;

use dsh_json::{JsString, JsonError, to_text};
use dsh_llm::AdapterCall;
use dsh_message::{ContentBlock, Message, Role};
use dsh_session::{CallConfig, ToolSchema};
use serde::Serialize;

use crate::recording::Exchange;

/// What a model is asked, recorded or now.
pub(crate) struct Asked<'a> {
    config: &'a CallConfig,
    system: Option<&'a JsString>,
    tools: &'a [ToolSchema],
    messages: &'a [Arc<Message>],
}

/// A part: what it is, and its JSON text. What a model is not sent (ids, sources of messages) is not in it.
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl<'a> Asked<'a> {
    pub(crate) fn recorded(exchange: &'a Exchange) -> Self {
        let header = &exchange.header;
        let tools = header.tools.as_deref().unwrap_or_default();
        Self { config: &header.config, system: header.system.as_ref(), tools, messages: &exchange.messages }
    }

    pub(crate) fn now(call: &'a AdapterCall) -> Self {
        let request = &call.request;
        Self { config: &call.config, system: request.system.as_ref(), tools: &request.tools, messages: request.messages.as_slice() }
    }

    /// The parts in the order in which they are compared.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Result<Part, JsonError>> + '_ {
        let settings = std::iter::once_with(|| Ok(Part { name: "the settings".to_owned(), text: to_text(self.config)? }));
        let system = self.system.iter().map(|system| Ok(Part { name: "the system prompt".to_owned(), text: to_text(system)? }));
        let tools = self.tools.iter().map(|tool| Ok(Part { name: format!("the tool `{}`", tool.name), text: to_text(tool)? }));
        settings.chain(system).chain(tools).chain(self.messages.iter().enumerate().map(|(at, message)| part(at, message)))
    }
}

fn part(at: usize, message: &Message) -> Result<Part, JsonError> {
    #[derive(Serialize)]
    struct Sent<'a> {
        role: &'a Role,
        content: &'a [ContentBlock],
    }
    let text = to_text(&Sent { role: &message.role, content: &message.content })?;
    Ok(Part { name: format!("message {}", at + 1), text })
}

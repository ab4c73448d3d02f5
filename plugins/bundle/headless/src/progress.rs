//! What a person sees of a run while it goes on.

use dsh_json::JsString;
use dsh_message::{ContentBlock, Message};
use dsh_session::catalogue::{AssistantMessage, ToolCallRecord, ToolResultRecord};
use dsh_session::{EventData, SessionEvent};
use serde_json::Value;

/// Most lines shown of a command or a result.
const MOST_LINES: usize = 5;
/// Most characters shown of a line.
const MOST_COLUMNS: usize = 160;

/// The text for an event, with its line end; none for an event that says nothing to a person.
pub(crate) fn text(event: &SessionEvent) -> Option<String> {
    let shown = match &*event.kind {
        AssistantMessage::TYPE => said(&event.data::<AssistantMessage>()?.message)?,
        ToolCallRecord::TYPE => called(&event.data()?),
        ToolResultRecord::TYPE => answered(&event.data()?)?,
        _ => return None,
    };
    Some(shown + "\n")
}

/// What the model says beside its tool calls. Its last reply has none and is the answer, which is printed elsewhere.
fn said(message: &Message) -> Option<String> {
    let calls = message.content.iter().any(|block| matches!(block, ContentBlock::ToolCall { .. }));
    let text = printable(&ContentBlock::joined_text(&message.content));
    let text = text.trim();
    if calls && !text.is_empty() { Some(text.to_owned()) } else { None }
}

fn called(call: &ToolCallRecord) -> String {
    let arguments = printable(&call.arguments);
    let command = match serde_json::from_str(&arguments) {
        Ok(Value::Object(members)) => members.get("command").and_then(Value::as_str).map(str::to_owned),
        _ => None,
    };
    match command {
        // A command holds what escapes in JSON stood for, so it is made printable again.
        Some(command) if members_are_a_command(&arguments) => first_lines(&printable(&command.into()), "$ ", "  "),
        _ => first_lines(&format!("{} {arguments}", printable(&call.name)), "", "  "),
    }
}

fn members_are_a_command(_arguments: &str) -> bool {
    true
}

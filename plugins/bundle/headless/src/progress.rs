//! What a person sees of a run while it goes on.

use dsh_json::Json;
use dsh_message::{ContentBlock, Message};
use dsh_session::catalogue::{AssistantMessage, ToolCallRecord, ToolResultRecord};
use dsh_session::{EventData, SessionEvent};

use crate::printing::printable;

/// Most lines shown of a command or a result.
const MOST_LINES: usize = 5;
/// Most characters shown of a line.
const MOST_COLUMNS: usize = 160;
/// Most characters shown of an argument beside others.
const MOST_VALUE_CHARACTERS: usize = 60;

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
    let text = printable(&ContentBlock::joined_text(&message.content).to_lossy());
    let text = text.trim();
    if calls && !text.is_empty() { Some(text.to_owned()) } else { None }
}

fn called(call: &ToolCallRecord) -> String {
    let name = printable(&call.name.to_lossy());
    let arguments: Option<Json> = call.arguments.as_str().and_then(|text| serde_json::from_str(text).ok());
    match &arguments {
        // A lone command reads best as one types it.
        Some(Json::Object(members)) => match members.as_slice() {
            [(key, Json::Text(command))] if key == "command" => first_lines(&printable(&command.to_lossy()), &format!("{name} $ ")),
            members => first_lines(&members.iter().fold(name, |line, (key, value)| format!("{line} {key}={}", short(value))), ""),
        },
        _ => first_lines(&format!("{name} {}", printable(&call.arguments.to_lossy())), ""),
    }
}

/// A value on one line.
fn short(value: &Json) -> String {
    // Every value that was read has a text.
    let text = dsh_json::to_text(value).unwrap_or_default();
    match text.char_indices().nth(MOST_VALUE_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn answered(result: &ToolResultRecord) -> Option<String> {
    let failed = result.message.content.iter().any(|block| matches!(block, ContentBlock::ToolResult { is_error: Some(true), .. }));
    let text = printable(&ContentBlock::joined_text(&result.message.content).to_lossy());
    match (text.trim_end(), failed) {
        ("", _) => None,
        (text, true) => Some(first_lines(text, "  ! ")),
        (text, false) => Some(first_lines(text, "  ")),
    }
}

/// The first lines, the first of them after `mark` and the others below it.
fn first_lines(text: &str, mark: &str) -> String {
    let indent = " ".repeat(mark.chars().count());
    let mut shown = Vec::new();
    for (at, line) in text.lines().take(MOST_LINES).enumerate() {
        let cut: String = line.chars().take(MOST_COLUMNS).collect();
        let more = if cut.len() < line.len() { "…" } else { "" };
        shown.push(format!("{}{cut}{more}", if at == 0 { mark } else { &indent }));
    }
    match text.lines().count().saturating_sub(MOST_LINES) {
        0 => {}
        rest => shown.push(format!("{indent}… {rest} more lines")),
    }
    shown.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_in_both_directions() {
        let text = (1..=7).map(|line| format!("line {line}\n")).collect::<String>();
        assert_eq!(first_lines(&text, "$ "), "$ line 1\n  line 2\n  line 3\n  line 4\n  line 5\n  … 2 more lines");
        assert_eq!(first_lines(&"é".repeat(161), ""), "é".repeat(160) + "…");
        assert_eq!(first_lines(&"é".repeat(160), ""), "é".repeat(160));
    }

    #[test]
    fn a_lone_command_reads_as_one_types_it() {
        let called = |arguments: &str| {
            called(&ToolCallRecord { turn: 1, step: 1, call_id: "c".into(), name: "tool".into(), arguments: arguments.into() })
        };
        assert_eq!(called(r#"{"command":"cd x\nls"}"#), "tool $ cd x\n       ls");
        assert_eq!(called(r#"{"command":"view","path":"/a"}"#), r#"tool command="view" path="/a""#);
        assert_eq!(called(&format!(r#"{{"text":"{}"}}"#, "é".repeat(80))), format!("tool text=\"{}…", "é".repeat(59)));
        assert_eq!(called("no json \u{1b}[31m"), "tool no json \u{fffd}[31m");
    }
}

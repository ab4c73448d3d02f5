//! What a program reads of a run: one JSON object a line.

use dsh_json::{JsString, Json};
use dsh_message::{ContentBlock, TokenUsage};
use dsh_session::catalogue::{AssistantMessage, StepEnd, StepStart, ToolCallRecord, ToolResultRecord, TurnEnd, TurnStart};
use dsh_session::{EventData, SessionEvent};
use serde::Serialize;

use crate::bounds::line;

/// The lines for an event; none for an event that is no part of a run.
pub(crate) fn of_event(event: &SessionEvent, step_usage: Option<&TokenUsage>) -> Option<String> {
    Some(match &*event.kind {
        TurnStart::TYPE => {
            let TurnStart { turn } = event.data()?;
            status("turn_start", turn, [])
        }
        StepStart::TYPE => {
            let StepStart { turn, step } = event.data()?;
            status("step_start", turn, [Some(("step", json(&step)))])
        }
        StepEnd::TYPE => {
            let StepEnd { turn, step } = event.data()?;
            status("step_end", turn, [Some(("step", json(&step))), step_usage.map(|usage| ("usage", json(usage)))])
        }
        TurnEnd::TYPE => {
            let TurnEnd { turn, reason } = event.data()?;
            status("turn_end", turn, [Some(("reason", json(&reason)))])
        }
        AssistantMessage::TYPE => said(&event.data::<AssistantMessage>()?.message.content),
        ToolCallRecord::TYPE => called(event.data()?),
        ToolResultRecord::TYPE => answered(&event.data::<ToolResultRecord>()?.message.content)?,
        _ => return None,
    })
}

/// The first record.
pub(crate) fn session(id: &str, cwd: Option<&str>) -> String {
    let cwd = cwd.map_or(Json::Null, |cwd| Json::Text(cwd.into()));
    line("session", vec![("sessionId", Json::Text(id.into())), ("cwd", cwd)])
}

/// The answer; never cut.
pub(crate) fn last(answer: &JsString) -> String {
    let record = Json::Object(vec![("type".to_owned(), Json::Text("final".into())), ("text".to_owned(), Json::Text(answer.clone()))]);
    // Texts have a JSON form.
    dsh_json::to_text(&record).unwrap_or_default() + "\n"
}

/// What went wrong.
pub(crate) fn error(message: &str) -> String {
    line("error", vec![("message", Json::Text(message.into()))])
}

fn status<const N: usize>(phase: &str, turn: u64, more: [Option<(&'static str, Json)>; N]) -> String {
    let members = [("phase", Json::Text(phase.into())), ("turn", json(&turn))];
    line("status", members.into_iter().chain(more.into_iter().flatten()).collect())
}

fn said(content: &[ContentBlock]) -> String {
    let lines = content.iter().map(|block| match block {
        ContentBlock::Reasoning(text) if !text.is_empty() => line("thinking", vec![("text", Json::Text(text.clone()))]),
        ContentBlock::Text(text) if !text.is_empty() => line("text", vec![("text", Json::Text(text.clone()))]),
        _ => String::new(),
    });
    lines.collect()
}

fn called(call: ToolCallRecord) -> String {
    // What the model wrote need not be JSON.
    let input = call.arguments.as_str().and_then(|text| serde_json::from_str(text).ok());
    let input = input.unwrap_or(Json::Text(call.arguments));
    line("tool_call", vec![("callId", json(&call.call_id)), ("tool", Json::Text(call.name)), ("input", input)])
}

fn answered(content: &[ContentBlock]) -> Option<String> {
    let [ContentBlock::ToolResult { tool_call_id, content, is_error }] = content else { return None };
    let status = if *is_error == Some(true) { "error" } else { "completed" };
    let result = Json::Text(ContentBlock::joined_text(content));
    Some(line("tool_result", vec![("callId", json(tool_call_id)), ("status", Json::Text(status.into())), ("result", result)]))
}

/// A value of the log's vocabulary, all of which have a JSON form.
fn json<T: Serialize>(value: &T) -> Json {
    dsh_json::to_text(value).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or(Json::Null)
}

//! A log in words: one line for each event with its key fields.

use std::fmt::Write;

use dsh_agent::InboxSpliced;
use dsh_message::{ContentBlock, FinishReason, Message, MessageSource, StreamChunk, TokenUsage};
use dsh_session::catalogue::{
    AbortCause, AssistantChunk, AssistantMessage, RequestContext, RequestHeader, StepEnd, StepStart, ToolCallRecord, ToolResultRecord,
    TurnEnd, TurnEndReason, TurnStart, UserMessage,
};
use dsh_session::{EventData, SessionEvent};

/// The chunks of one attempt.
struct Attempt {
    step: (u64, u64),
    seqs: Vec<u64>,
    finished: bool,
}

/// The lines of a log. Chunks of one attempt that follow each other share a line `chunks A …`, with the attempt's letter, that its
/// reply cites as `<- A`; a tool result that cites its own call has no further mark. Any other citation is printed with its
/// numbers.
pub fn lines(events: &[SessionEvent]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut attempts: Vec<Attempt> = Vec::new();
    for event in events {
        let Some(AssistantChunk { turn, step, chunk }) = event.data() else {
            lines.push(format!("{}{}", line(event), citation(event, events, &attempts)));
            continue;
        };
        let step = (turn, step);
        if !attempts.last().is_some_and(|attempt| attempt.step == step && !attempt.finished) {
            attempts.push(Attempt { step, seqs: Vec::new(), finished: false });
        }
        let letter = letter(attempts.len() - 1);
        match lines.last_mut() {
            Some(line) if line.starts_with(&format!("chunks {letter} ")) => *line = format!("{line} {}", chunk_text(&chunk)),
            _ => lines.push(format!("chunks {letter} {}", chunk_text(&chunk))),
        }
        if let Some(attempt) = attempts.last_mut() {
            attempt.seqs.push(event.seq);
            attempt.finished = matches!(chunk, StreamChunk::Finish { .. });
        }
    }
    lines
}

fn letter(number: usize) -> char {
    char::from_u32('A' as u32 + u32::try_from(number).expect("few attempts")).expect("a letter")
}

fn citation(event: &SessionEvent, events: &[SessionEvent], attempts: &[Attempt]) -> String {
    let Some(cited) = &event.source_event_seqs else { return String::new() };
    if let Some(attempt) = attempts.iter().position(|attempt| attempt.seqs == *cited) {
        return format!(" <- {}", letter(attempt));
    }
    let call = |seq: &u64| events.iter().find(|call| call.seq == *seq).and_then(SessionEvent::data::<ToolCallRecord>);
    let called = |seq| call(seq).map(|call| call.call_id);
    let answered = event.data::<ToolResultRecord>().map(|result| result.message.source.clone());
    match (cited.as_slice(), answered) {
        ([seq], Some(MessageSource::Tool { call_id })) if called(seq) == Some(call_id.clone()) => String::new(),
        _ => format!(" <- {cited:?}"),
    }
}

/// The line of one event.
pub fn line(event: &SessionEvent) -> String {
    if let Some(AssistantChunk { chunk, .. }) = event.data() {
        return format!("chunk {}", chunk_text(&chunk));
    }
    let details = if let Some(TurnStart { turn }) = event.data() {
        turn.to_string()
    } else if let Some(TurnEnd { turn, reason }) = event.data() {
        format!("{turn} {}", end_text(&reason))
    } else if let Some(StepStart { turn, step }) = event.data() {
        format!("{turn}.{step}")
    } else if let Some(StepEnd { turn, step }) = event.data() {
        format!("{turn}.{step}")
    } else if let Some(UserMessage(message)) = event.data() {
        message_text(&message)
    } else if let Some(AssistantMessage { turn, step, message, interrupted, usage }) = event.data() {
        let interrupted = if interrupted { " interrupted" } else { "" };
        format!("{turn}.{step}{interrupted} {}{}", message_text(&message), usage.map(usage_text).unwrap_or_default())
    } else if let Some(ToolCallRecord { call_id, name, arguments, .. }) = event.data() {
        format!("{call_id} {name} {arguments}")
    } else if let Some(ToolResultRecord { message, error, .. }) = event.data() {
        let code = error.map(|error| format!(" {}", error.code)).unwrap_or_default();
        format!("{}{code}", message_text(&message))
    } else if let Some(RequestHeader { header, reason }) = event.data() {
        format!("{} {}", serde_json::to_value(reason).unwrap().as_str().unwrap(), header_text(&header))
    } else if let Some(RequestContext { provider, model, context_window }) = event.data() {
        format!("{provider}/{model} {}", context_window.map_or("-".to_owned(), |window| window.to_string()))
    } else if let Some(splice) = event.data() {
        splice_text(&splice)
    } else {
        event.data.get().to_owned()
    };
    let kind = if event.kind == InboxSpliced::TYPE { "inbox" } else { &event.kind };
    format!("{kind} {details}").trim_end().to_owned()
}

fn chunk_text(chunk: &StreamChunk) -> String {
    match chunk {
        StreamChunk::BlockStart { .. } => "start".to_owned(),
        StreamChunk::TextDelta { text, .. } => format!("text:{text:?}"),
        StreamChunk::ReasoningDelta { text, .. } => format!("reasoning:{text:?}"),
        StreamChunk::ToolCallDelta { id, .. } => format!("call:{id}"),
        StreamChunk::BlockEnd { .. } => "end".to_owned(),
        StreamChunk::Usage { .. } => "usage".to_owned(),
        StreamChunk::Finish { reason, .. } => match reason {
            FinishReason::Stop => "finish:stop".to_owned(),
            FinishReason::ToolCalls => "finish:tool-calls".to_owned(),
            FinishReason::MaxTokens => "finish:max-tokens".to_owned(),
            FinishReason::Error { failure } => format!("finish:error({})", failure.code),
            FinishReason::Aborted { failure } => format!("finish:aborted({})", failure.code),
        },
    }
}

fn end_text(reason: &TurnEndReason) -> String {
    match reason {
        TurnEndReason::Completed => "completed".to_owned(),
        TurnEndReason::MaxTokens => "max-tokens".to_owned(),
        TurnEndReason::Blocked => "blocked".to_owned(),
        TurnEndReason::Aborted { reason: AbortCause::Hook { reason } } => format!("aborted hook {reason}"),
        TurnEndReason::Aborted { reason } => format!("aborted {reason:?}").to_lowercase(),
        TurnEndReason::Error { error } => format!("error {error}"),
        TurnEndReason::Interrupted => "interrupted".to_owned(),
    }
}

/// A message with its id where a test chose it, its kind where it is not a person's, and its content.
pub fn message_text(message: &Message) -> String {
    let content: Vec<String> = message.content.iter().map(block_text).collect();
    let content = if content.is_empty() { "(nothing)".to_owned() } else { content.join(" ") };
    match &message.source {
        MessageSource::User => format!("{} {content}", message.id),
        MessageSource::Plugin(source) => match (&source.form, &source.sections) {
            (Some(form), Some(sections)) => {
                let sections: Vec<String> = sections.iter().map(|section| format!("{}={:?}", section.name, section.text)).collect();
                format!("{form} {}", sections.join(" "))
            }
            _ => format!("by {}", source.plugin.rsplit('/').next().unwrap_or_default()),
        },
        MessageSource::Model { .. } | MessageSource::Tool { .. } | MessageSource::Other(_) => content,
    }
}

fn block_text(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => format!("{text:?}"),
        ContentBlock::Reasoning(text) => format!("reasoning {text:?}"),
        ContentBlock::ToolCall { id, name, .. } => format!("[{id} {name}]"),
        ContentBlock::ToolResult { tool_call_id, content, is_error } => {
            let outcome = if *is_error == Some(true) { "failed" } else { "ok" };
            let content: Vec<String> = content.iter().map(block_text).collect();
            format!("{tool_call_id} {outcome} {}", content.join(" "))
        }
        ContentBlock::Other(_) => block.type_name(),
    }
}

fn usage_text(usage: TokenUsage) -> String {
    format!(" ({}+{} tokens)", usage.input_tokens, usage.output_tokens)
}

fn header_text(header: &dsh_session::EpochHeader) -> String {
    let mut text = config_text(&header.config, header.adapter_defaults);
    if let Some(system) = &header.system {
        write!(text, " system={system:?}").unwrap();
    }
    if let Some(tools) = &header.tools {
        write!(text, " tools={}", tool_names(tools)).unwrap();
    }
    text
}

pub fn tool_names(tools: &[dsh_session::ToolSchema]) -> String {
    tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>().join(",")
}

/// Route and settings; a star marks what the adapter filled in.
pub fn config_text(config: &dsh_session::CallConfig, defaults: dsh_session::AdapterDefaults) -> String {
    let mut text = format!("{}/{}", config.provider, config.model);
    let star = |is_default: bool| if is_default { "*" } else { "" };
    if let Some(effort) = &config.reasoning_effort {
        write!(text, " effort={effort}{}", star(defaults.reasoning_effort)).unwrap();
    }
    if let Some(most) = config.max_tokens {
        write!(text, " max={most}{}", star(defaults.max_tokens)).unwrap();
    }
    if let Some(temperature) = config.temperature {
        write!(text, " temperature={temperature}").unwrap();
    }
    if let Some(stop) = &config.stop {
        write!(text, " stop={stop:?}").unwrap();
    }
    text
}

fn splice_text(splice: &InboxSpliced) -> String {
    let target = serde_json::to_value(splice.target).unwrap();
    let mut text = format!("{}[{}]", target.as_str().unwrap(), splice.start);
    if splice.removed_count > 0 {
        write!(text, " -{}", splice.removed_count).unwrap();
    }
    for message in &splice.inserted {
        write!(text, " +{}", message.id).unwrap();
    }
    if splice.outcome.is_some() {
        text.push_str(" canceled");
    }
    text
}

//! The steps of a log, in its order.

use std::sync::Arc;

use dsh_json::Json;
use dsh_message::{ContentBlock, Message, MessageSource, TokenUsage};
use dsh_sandbox_policy::{SandboxMode, SandboxModeSet};
use dsh_session::catalogue::{AssistantMessage, RequestHeader, ToolResultRecord, TurnEnd, TurnEndReason, TurnStart, UserMessage};
use dsh_session::{EpochHeader, SessionEvent, SurfaceOp};

use super::form::{
    CallExtra, FinalMetrics, Metrics, MetricsExtra, Observation, ObservationResult, ResultExtra, Source, Step, StepExtra, ToolCall,
};
use crate::log::Fold;
use crate::plain;

/// What a log tells of a trajectory.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    /// Each step with the number of its event.
    taken: Vec<(u64, Step)>,
    /// The header of requests in force.
    pub(crate) header: Option<EpochHeader>,
    /// The mode that the log names last.
    pub(crate) sandbox: Option<SandboxMode>,
    /// Why the last turn ended.
    pub(crate) end: Option<TurnEndReason>,
}

impl Fold for Steps {
    fn take(&mut self, event: &SessionEvent) {
        if let Some(TurnStart { .. }) = event.data() {
            self.end = None;
        } else if let Some(TurnEnd { reason, .. }) = event.data() {
            self.end = Some(reason);
        } else if let Some(SandboxModeSet { mode, .. }) = event.data() {
            self.sandbox = Some(mode);
        } else if let Some(RequestHeader { header, .. }) = event.data() {
            self.head(event, header);
        } else if event.surface_op == Some(SurfaceOp::Append) {
            // What later shortened the model's view changes nothing that was said.
            self.say(event);
        }
    }
}

impl Steps {
    /// Numbers the steps and sums them up. The first `seeded` events are another session's.
    pub(crate) fn finish(&mut self, seeded: u64) -> (Vec<Step>, FinalMetrics) {
        let mut sums = FinalMetrics { total_steps: self.taken.len(), ..FinalMetrics::default() };
        let number = |(at, (seq, step)): (usize, (u64, Step))| {
            if let Some(metrics) = step.metrics {
                add(&mut sums.total_prompt_tokens, metrics.prompt_tokens);
                add(&mut sums.total_completion_tokens, metrics.completion_tokens);
                add(&mut sums.total_cached_tokens, metrics.cached_tokens.unwrap_or_default());
            }
            Step { step_id: at + 1, is_copied_context: seq < seeded, ..step }
        };
        let steps = std::mem::take(&mut self.taken).into_iter().enumerate().map(number).collect();
        (steps, sums)
    }

    /// A header: its system prompt is a step where it is new. The log has the first one after the input that it is for.
    fn head(&mut self, event: &SessionEvent, header: EpochHeader) {
        let known = self.header.as_ref().map(|header| header.system.clone());
        if let Some(system) = header.system.as_ref().filter(|system| known.as_ref().and_then(Option::as_ref) != Some(*system)) {
            let step = (event.seq, step(event, Source::System, plain::text(system)));
            let at = if known.is_none() { 0 } else { self.taken.len() };
            self.taken.insert(at, step);
        }
        self.header = Some(header);
    }

    fn say(&mut self, event: &SessionEvent) {
        if let Some(UserMessage(message)) = event.data() {
            let from = from(&message.source);
            let step = step(event, Source::User, plain::said(&message.content));
            self.taken.push((event.seq, Step { extra: StepExtra { from, ..StepExtra::default() }, ..step }));
        } else if let Some(reply) = event.data::<AssistantMessage>() {
            self.taken.push((event.seq, replied(event, &reply)));
        } else if let Some(record) = event.data::<ToolResultRecord>() {
            self.answered(event, &record);
        }
    }

    /// A result belongs to the step with its call: the last one, since providers may use an id again.
    fn answered(&mut self, event: &SessionEvent, record: &ToolResultRecord) {
        let code = record.error.as_ref().map(|error| error.code.clone());
        for block in &record.message.content {
            let ContentBlock::ToolResult { tool_call_id, content, is_error } = block else { continue };
            let id = plain::text(&tool_call_id.0);
            let extra = (*is_error == Some(true)).then(|| ResultExtra { is_error: true, code: code.clone() });
            let result = ObservationResult { source_call_id: None, content: plain::said(content), extra };
            let caller =
                self.taken.iter_mut().rev().map(|(_, step)| step).find(|step| step.tool_calls.iter().any(|call| call.tool_call_id == id));
            if let Some(step) = caller {
                let result = ObservationResult { source_call_id: Some(id), ..result };
                step.observation.get_or_insert_default().results.push(result);
            } else {
                let observation = Some(Observation { results: vec![result] });
                self.taken.push((event.seq, Step { observation, ..step(event, Source::System, String::new()) }));
            }
        }
    }
}

/// Who said something in the place of a user, unless it is one.
fn from(source: &MessageSource) -> Option<String> {
    match source {
        MessageSource::User => None,
        MessageSource::Plugin(plugin) => Some(plugin.plugin.clone()),
        MessageSource::Other(json) => json.get("kind").and_then(Json::as_text).map(plain::text),
        MessageSource::Model { .. } => Some("model".to_owned()),
        MessageSource::Tool { .. } => Some("tool".to_owned()),
    }
}

fn replied(event: &SessionEvent, reply: &AssistantMessage) -> Step {
    let AssistantMessage { turn, step: number, message, interrupted, usage } = reply;
    let model_name = match &message.source {
        MessageSource::Model { model, .. } => Some(model.clone()),
        _ => None,
    };
    Step {
        model_name,
        reasoning_content: reasoning(message),
        tool_calls: message.content.iter().filter_map(called).collect(),
        metrics: usage.as_ref().map(metrics),
        llm_call_count: Some(1),
        extra: StepExtra { turn: Some(*turn), step: Some(*number), interrupted: *interrupted, from: None },
        ..step(event, Source::Agent, plain::said(&message.content))
    }
}

fn reasoning(message: &Arc<Message>) -> Option<String> {
    let thought = |block: &ContentBlock| match block {
        ContentBlock::Reasoning(text) => Some(plain::text(text)),
        _ => None,
    };
    let thoughts: Vec<String> = message.content.iter().filter_map(thought).collect();
    (!thoughts.is_empty()).then(|| thoughts.join("\n\n"))
}

fn called(block: &ContentBlock) -> Option<ToolCall> {
    let ContentBlock::ToolCall { id, name, arguments } = block else { return None };
    let text = plain::text(arguments);
    let (arguments, extra) = match object(&text) {
        Some(object) => (plain::json(object), None),
        None => (Json::Object(Vec::new()), Some(CallExtra { raw_arguments: text })),
    };
    Some(ToolCall { tool_call_id: plain::text(&id.0), function_name: plain::text(name), arguments, extra })
}

/// The arguments as an object. A call without any is one of an empty object.
fn object(text: &str) -> Option<Json> {
    if text.is_empty() {
        return Some(Json::Object(Vec::new()));
    }
    serde_json::from_str(text).ok().filter(|json| matches!(json, Json::Object(_)))
}

fn metrics(usage: &TokenUsage) -> Metrics {
    let &TokenUsage { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens } = usage;
    Metrics {
        prompt_tokens: [cache_read_tokens, cache_write_tokens].into_iter().flatten().fold(input_tokens, u64::saturating_add),
        completion_tokens: output_tokens,
        cached_tokens: cache_read_tokens,
        extra: reasoning_tokens.map(|reasoning_tokens| MetricsExtra { reasoning_tokens }),
    }
}

/// Logs may hold any figures.
fn add(sum: &mut u64, tokens: u64) {
    *sum = sum.saturating_add(tokens);
}

/// A step with nothing but words.
fn step(event: &SessionEvent, source: Source, message: String) -> Step {
    Step {
        step_id: 0,
        timestamp: event.time.utc_millis(),
        source,
        model_name: None,
        message,
        reasoning_content: None,
        tool_calls: Vec::new(),
        observation: None,
        metrics: None,
        is_copied_context: false,
        llm_call_count: None,
        extra: StepExtra::default(),
    }
}

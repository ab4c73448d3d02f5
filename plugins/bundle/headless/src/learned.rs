//! What the events of a session tell of a run.

use dsh_json::JsString;
use dsh_message::{ContentBlock, MessageId, TokenUsage};
use dsh_sandbox_policy::{SandboxMode, SandboxModeSet};
use dsh_session::SessionEvent;
use dsh_session::catalogue::{AssistantMessage, StepStart, TurnEnd, TurnEndReason, UserMessage};

/// What counts in the end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Learned {
    /// Text of the last reply.
    pub(crate) answer: Option<JsString>,
    /// How the last turn ended.
    pub(crate) reason: Option<TurnEndReason>,
    /// Steps that began.
    pub(crate) steps: u64,
    /// Sum over all replies that were kept. What a failed attempt used is not known.
    pub(crate) usage: TokenUsage,
    /// What the last step used.
    pub(crate) step_usage: Option<TokenUsage>,
    /// The mode of confinement that was set last; none where the session has the one of the policy.
    pub(crate) sandbox: Option<SandboxMode>,
}

impl Learned {
    /// Takes an event in.
    pub(crate) fn learn(&mut self, event: &SessionEvent) {
        if let Some(reply) = event.data::<AssistantMessage>() {
            self.answer = Some(ContentBlock::joined_text(&reply.message.content));
            self.step_usage = reply.usage;
            if let Some(usage) = &reply.usage {
                add(&mut self.usage, usage);
            }
        } else if event.is::<StepStart>() {
            self.steps += 1;
            self.step_usage = None;
        } else if let Some(end) = event.data::<TurnEnd>() {
            self.reason = Some(end.reason);
        } else if let Some(set) = event.data::<SandboxModeSet>() {
            self.sandbox = Some(set.mode);
        }
    }
}

/// Whether the event is a message that entered the conversation.
pub(crate) fn enters(event: &SessionEvent, id: &MessageId) -> bool {
    event.data::<UserMessage>().is_some_and(|UserMessage(message)| message.id == *id)
}

fn add(sum: &mut TokenUsage, usage: &TokenUsage) {
    let optional = |sum: &mut Option<u64>, part: Option<u64>| {
        if let Some(part) = part {
            *sum = Some(sum.unwrap_or(0).saturating_add(part));
        }
    };
    sum.input_tokens = sum.input_tokens.saturating_add(usage.input_tokens);
    sum.output_tokens = sum.output_tokens.saturating_add(usage.output_tokens);
    optional(&mut sum.cache_read_tokens, usage.cache_read_tokens);
    optional(&mut sum.cache_write_tokens, usage.cache_write_tokens);
    optional(&mut sum.reasoning_tokens, usage.reasoning_tokens);
}

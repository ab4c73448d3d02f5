//! A chunk of a streamed chat completion, as far as it is read.

use dsh_json::{JsString, Json};
use dsh_message::TokenUsage;
use serde::Deserialize;

#[derive(Deserialize)]
pub(crate) struct Completion {
    choices: Option<Vec<Choice>>,
    pub(crate) usage: Option<Usage>,
    pub(crate) error: Option<Json>,
}

impl Completion {
    /// The one choice that is asked for.
    pub(crate) fn choice(&mut self) -> Option<Choice> {
        self.choices.take()?.into_iter().next()
    }
}

#[derive(Deserialize)]
pub(crate) struct Choice {
    pub(crate) delta: Option<Delta>,
    pub(crate) finish_reason: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct Delta {
    pub(crate) reasoning_content: Option<JsString>,
    pub(crate) content: Option<JsString>,
    pub(crate) tool_calls: Option<Vec<CallPiece>>,
}

impl Delta {
    /// About how many bytes it takes to keep it.
    pub(crate) fn cost(&self) -> usize {
        /// What a piece takes beside its text.
        const PIECE: usize = 32;
        let cost = |text: &Option<JsString>| text.as_ref().map_or(0, |text| PIECE + text.byte_len());
        let call = |piece: &CallPiece| {
            let function = piece.function.as_ref().map_or(0, |function| cost(&function.name) + cost(&function.arguments));
            PIECE + cost(&piece.id) + function
        };
        let calls: usize = self.tool_calls.iter().flatten().map(call).sum();
        cost(&self.reasoning_content) + cost(&self.content) + calls
    }
}

#[derive(Deserialize)]
pub(crate) struct CallPiece {
    pub(crate) index: Option<u64>,
    pub(crate) id: Option<JsString>,
    pub(crate) function: Option<FunctionPiece>,
}

#[derive(Default, Deserialize)]
pub(crate) struct FunctionPiece {
    pub(crate) name: Option<JsString>,
    pub(crate) arguments: Option<JsString>,
}

#[derive(Deserialize)]
pub(crate) struct Usage {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    prompt_cache_hit_tokens: Option<u64>,
    prompt_tokens_details: Option<PromptDetails>,
    completion_tokens_details: Option<CompletionDetails>,
}

#[derive(Deserialize)]
struct PromptDetails {
    cached_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct CompletionDetails {
    reasoning_tokens: Option<u64>,
}

impl Usage {
    /// The figures without overlap: cached input is no part of `input_tokens`.
    pub(crate) fn tokens(&self) -> TokenUsage {
        let cached = self.prompt_tokens_details.as_ref().and_then(|details| details.cached_tokens).or(self.prompt_cache_hit_tokens);
        TokenUsage {
            input_tokens: self.prompt_tokens.unwrap_or(0).saturating_sub(cached.unwrap_or(0)),
            output_tokens: self.completion_tokens.unwrap_or(0),
            cache_read_tokens: cached,
            cache_write_tokens: None,
            reasoning_tokens: self.completion_tokens_details.as_ref().and_then(|details| details.reasoning_tokens),
        }
    }
}

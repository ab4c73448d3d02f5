//! The members of a trajectory, as far as they are written here. Readers refuse a member that they do not know; what the format has no
//! member for stands under `extra`.

use dsh_json::Json;
use serde::Serialize;
use serde_json::Value;

/// Version of the format: the first that has all members that are written here.
pub(crate) const VERSION: &str = "ATIF-v1.7";

/// A trajectory.
#[derive(Debug, Serialize)]
pub(crate) struct Trajectory {
    pub(crate) schema_version: &'static str,
    pub(crate) session_id: String,
    pub(crate) agent: Agent,
    pub(crate) steps: Vec<Step>,
    pub(crate) final_metrics: FinalMetrics,
    pub(crate) extra: SessionExtra,
}

/// Who acted.
#[derive(Debug, Serialize)]
pub(crate) struct Agent {
    pub(crate) name: String,
    pub(crate) version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model_name: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) tool_definitions: Vec<ToolDefinition>,
    pub(crate) extra: AgentExtra,
}

/// What else is known of who acted.
#[derive(Debug, Serialize)]
pub(crate) struct AgentExtra {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) provider: Option<String>,
    /// Digest of the composition of the binary that exports.
    pub(crate) composition: String,
    /// How far the effects of tools on files reached at the end; absent in a composition without a policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sandbox: Option<&'static str>,
}

/// A tool, in the form of function calls of chat completions.
#[derive(Debug, Serialize)]
pub(crate) struct ToolDefinition {
    pub(crate) r#type: &'static str,
    pub(crate) function: Function,
}

/// What a model is told of a tool.
#[derive(Debug, Serialize)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) parameters: Value,
}

/// Who a step comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Source {
    System,
    User,
    Agent,
}

/// A step: something said, with the calls in it and what they gave.
#[derive(Debug, Serialize)]
pub(crate) struct Step {
    /// From 1, without gaps.
    pub(crate) step_id: usize,
    pub(crate) timestamp: String,
    pub(crate) source: Source,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model_name: Option<String>,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reasoning_content: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) tool_calls: Vec<ToolCall>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) observation: Option<Observation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) metrics: Option<Metrics>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_copied_context: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) llm_call_count: Option<u64>,
    #[serde(skip_serializing_if = "StepExtra::is_empty")]
    pub(crate) extra: StepExtra,
}

/// What else is known of a step.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(crate) struct StepExtra {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) turn: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) step: Option<u64>,
    /// Who said it in the place of a user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
    /// Whether the reply was cut off.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) interrupted: bool,
}

impl StepExtra {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A tool call.
#[derive(Debug, Serialize)]
pub(crate) struct ToolCall {
    pub(crate) tool_call_id: String,
    pub(crate) function_name: String,
    /// An object.
    pub(crate) arguments: Json,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extra: Option<CallExtra>,
}

/// What else is known of a tool call.
#[derive(Debug, Serialize)]
pub(crate) struct CallExtra {
    /// What the model wrote, where it is no object.
    pub(crate) raw_arguments: String,
}

/// What calls gave.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Observation {
    pub(crate) results: Vec<ObservationResult>,
}

/// What a call gave.
#[derive(Debug, Serialize)]
pub(crate) struct ObservationResult {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source_call_id: Option<String>,
    pub(crate) content: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extra: Option<ResultExtra>,
}

/// What else is known of what a call gave: it failed.
#[derive(Debug, Serialize)]
pub(crate) struct ResultExtra {
    pub(crate) is_error: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<String>,
}

/// Tokens of a reply.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Metrics {
    /// Cached or not.
    pub(crate) prompt_tokens: u64,
    pub(crate) completion_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cached_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extra: Option<MetricsExtra>,
}

/// What else is known of the tokens of a reply.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct MetricsExtra {
    /// The part of the completion that is reasoning.
    pub(crate) reasoning_tokens: u64,
}

/// Sums over all steps.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(crate) struct FinalMetrics {
    pub(crate) total_prompt_tokens: u64,
    pub(crate) total_completion_tokens: u64,
    pub(crate) total_cached_tokens: u64,
    pub(crate) total_steps: usize,
}

/// What else is known of a session.
#[derive(Debug, Serialize)]
pub(crate) struct SessionExtra {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cwd: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parent_session: Option<String>,
    /// Why the last turn ended, as the log has it; absent while it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) end: Option<Json>,
}

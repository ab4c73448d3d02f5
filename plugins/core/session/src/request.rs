//! What of a model request the log records besides the messages.

use std::sync::Arc;

use dsh_json::JsString;
use serde::{Deserialize, Serialize};

/// The route and settings of a model call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallConfig {
    /// Route.
    pub provider: String,
    /// Model id.
    pub model: String,
    /// How much the model should think, in the provider's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<String>,
    /// Sampling temperature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Ceiling of output tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// Texts that end the output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<Vec<String>>,
}

/// Which settings came from the adapter's defaults rather than from the caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AdapterDefaults {
    /// The effort.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reasoning_effort: bool,
    /// The ceiling.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub max_tokens: bool,
}

impl AdapterDefaults {
    /// Whether nothing came from defaults.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A tool as the model is told of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolSchema {
    /// Name that the model uses.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// JSON Schema of its arguments.
    pub parameters: serde_json::Value,
}

/// The header of requests; the log holds the one in force and every change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EpochHeader {
    /// Route and settings.
    pub config: CallConfig,
    /// Which settings are the adapter's.
    #[serde(default, skip_serializing_if = "AdapterDefaults::is_empty")]
    pub adapter_defaults: AdapterDefaults,
    /// System prompt; never empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<JsString>,
    /// Tools in the order in which the model sees them; never empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Arc<[ToolSchema]>>,
}

impl EpochHeader {
    /// The form in which headers are compared and written: empty members left out.
    #[must_use]
    pub fn canonical(mut self) -> Self {
        self.system = self.system.filter(|system| !system.is_empty());
        self.tools = self.tools.filter(|tools| !tools.is_empty());
        self
    }
}

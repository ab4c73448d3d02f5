//! What is known of the provider's models.

use dsh_llm::ModelInfo;
use dsh_message::LlmFailure;

use crate::config::{Config, Effort, ModelConfig, Thinking};

/// Offered when the config lists no models.
const BUILT_IN: [&str; 2] = ["deepseek-v4-flash", "deepseek-v4-pro"];

/// The models to offer.
pub(crate) fn list(config: &Config) -> Vec<ModelInfo> {
    if config.models.is_empty() {
        return BUILT_IN.map(|id| info(config, id, None)).to_vec();
    }
    config.models.iter().map(|model| info(config, &model.id, Some(model))).collect()
}

/// What is known of one model; an id that is not listed has the defaults.
pub(crate) fn resolve(config: &Config, id: &str) -> Result<ModelInfo, LlmFailure> {
    if id.trim().is_empty() {
        return Err(LlmFailure::new("UNKNOWN_MODEL", "the model id is blank"));
    }
    Ok(info(config, id, config.models.iter().find(|model| model.id == id)))
}

fn info(config: &Config, id: &str, entry: Option<&ModelConfig>) -> ModelInfo {
    let efforts: &[Effort] = match config.thinking {
        Some(Thinking::Disabled) => &[Effort::Off],
        _ => &[Effort::Off, Effort::Low, Effort::High, Effort::Max],
    };
    ModelInfo {
        id: id.to_owned(),
        name: entry.and_then(|model| model.name.clone()),
        description: entry.and_then(|model| model.description.clone()),
        context_window: Some(entry.and_then(|model| model.context_window).unwrap_or(config.default_context_window)),
        default_max_tokens: Some(entry.and_then(|model| model.max_tokens).unwrap_or(config.max_tokens)),
        reasoning_efforts: efforts.iter().map(|effort| effort.as_str().to_owned()).collect(),
        default_reasoning_effort: Some(config.default_effort().as_str().to_owned()),
    }
}

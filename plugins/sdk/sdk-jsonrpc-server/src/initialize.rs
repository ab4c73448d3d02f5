//! What a client says of the sessions that it will open.

use std::path::Path;

use dsh_agent::AgentOptions;
use dsh_llm::Llm;

use crate::cwd;
use crate::error::MethodError;
use crate::params::Params;

/// Working directory and model of the sessions that are opened from now on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Defaults {
    /// Absolute.
    pub(crate) cwd: String,
    pub(crate) options: AgentOptions,
}

impl Defaults {
    /// Reads the parameters of `initialize`; relative paths are seen from `base`.
    pub(crate) fn read(params: &Params, base: &Path, llm: &Llm) -> Result<Self, MethodError> {
        let wrong = |rule: &str| MethodError::Params(format!("initialize {rule}"));
        let named = params.text("cwd").ok_or_else(|| wrong("cwd must be a string"))?;
        let resolved = cwd::resolve(base, &named);
        let cwd = resolved.to_str().ok_or_else(|| wrong("cwd is relative, and the process's own directory is not Unicode"))?.to_owned();
        let name =
            |key: &str| params.text(key).filter(|name| !name.is_empty()).ok_or_else(|| wrong(&format!("{key} must be a non-empty string")));
        let (provider, model) = (name("provider")?, name("model")?);
        let max_tokens =
            params.positive_integer("maxTokens").transpose().map_err(|()| wrong("maxTokens must be a positive safe integer"))?;
        let reasoning_effort = params.get("reasoningEffort").map(|_| name("reasoningEffort")).transpose()?;
        if !llm.has(&provider) {
            return Err(MethodError::NoAdapter(provider));
        }
        Ok(Self { cwd, options: AgentOptions { provider: Some(provider), model: Some(model), max_tokens, reasoning_effort } })
    }
}

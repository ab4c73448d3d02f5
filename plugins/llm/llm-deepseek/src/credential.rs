//! The API key.

use dsh_message::LlmFailure;
use dsh_runtime::{PluginContext, SecretEnv, SecretValue};

/// Reads the key now.
pub(crate) fn read(cx: &PluginContext, reference: &SecretEnv, provider: &str) -> Result<SecretValue, LlmFailure> {
    let value = cx.secret(reference);
    let key = value.as_ref().map_or("", |value| value.reveal().trim());
    if key.is_empty() && cx.environment().var_os(reference.variable()).is_some() {
        return Err(invalid(reference));
    }
    if key.is_empty() {
        let message = format!("no API key for the provider `{provider}`: set the environment variable {}", reference.variable());
        return Err(LlmFailure::new("MISSING_CREDENTIAL", message));
    }
    if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(invalid(reference));
    }
    Ok(SecretValue::new(key.to_owned()))
}

/// The failure of a key that no header can hold.
pub(crate) fn invalid(reference: &SecretEnv) -> LlmFailure {
    let message = format!("the API key in {} holds characters other than visible ASCII", reference.variable());
    LlmFailure::new("INVALID_CREDENTIAL", message)
}

/// Takes the key out of words of the provider, which may repeat it.
pub(crate) fn without_key(mut failure: LlmFailure, key: &SecretValue) -> LlmFailure {
    if failure.message.contains(key.reveal()) {
        failure.message = failure.message.replace(key.reveal(), "[API key]");
    }
    failure.request_id = failure.request_id.filter(|id| !id.contains(key.reveal()));
    failure
}

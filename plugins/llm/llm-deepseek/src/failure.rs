//! Failures of calls: their codes, and what the answer's headers say.

use std::error::Error;
use std::time::Duration;

use dsh_json::Json;
use dsh_message::LlmFailure;
use dsh_runtime::Timestamp;
use reqwest::header::{HeaderMap, RETRY_AFTER};

use crate::address::Address;
use crate::detail::Detail;
use crate::http_date;
use crate::names::NameError;

/// How much of an answer that cannot be read is quoted, in characters.
pub(crate) const QUOTED: usize = 120;

/// An answer with a status other than success.
pub(crate) struct Refusal<'a> {
    pub(crate) address: &'a Address,
    pub(crate) status: u16,
    pub(crate) detail: Detail,
    /// Where the key came from, for a refused key.
    pub(crate) key_variable: &'a str,
}

impl Refusal<'_> {
    pub(crate) fn into_failure(self) -> LlmFailure {
        let Self { address, status, detail, key_variable } = self;
        let code = match status {
            401 | 403 => "AUTH".to_owned(),
            413 => "INVALID_REQUEST".to_owned(),
            _ if detail.is_quota() => "QUOTA".to_owned(),
            429 => "RATE_LIMIT".to_owned(),
            400 if detail.is_context() => "CONTEXT_WINDOW_EXCEEDED".to_owned(),
            400 => "INVALID_REQUEST".to_owned(),
            500.. => "SERVER".to_owned(),
            _ => format!("HTTP_{status}"),
        };
        let mut message = format!("the model provider at {address} answered with status {status}");
        if code == "AUTH" {
            message.push_str(&format!(" to the API key in {key_variable}"));
        }
        if !detail.message.is_empty() {
            message.push_str(&format!(": {}", detail.message));
        }
        LlmFailure { status: Some(status), ..LlmFailure::new(&code, message) }
    }
}

/// An `error` member that came inside a stream, where no status tells its kind.
pub(crate) fn reported(error: &Json) -> LlmFailure {
    let detail = Detail::of(error);
    let code = match &detail {
        detail if detail.is_quota() => "QUOTA",
        detail if detail.is_context() => "CONTEXT_WINDOW_EXCEEDED",
        _ => "SERVER",
    };
    LlmFailure::new(code, format!("the model provider reported an error: {}", detail.message))
}

/// A connection that failed, with the causes in words.
pub(crate) fn transport(address: &Address, error: reqwest::Error) -> LlmFailure {
    // The error's own form of the address would tell its query too.
    let error = error.without_url();
    let mut message = format!("the exchange with the model provider at {address} failed: {error}");
    let mut cause = error.source();
    while let Some(inner) = cause {
        if let Some(lack) = inner.downcast_ref::<NameError>().and_then(NameError::lack) {
            return LlmFailure::new("ENVIRONMENT", format!("the model provider at {address} cannot be reached: {lack}"));
        }
        message.push_str(&format!(": {inner}"));
        cause = inner.source();
    }
    LlmFailure::new("TRANSPORT", message)
}

/// No byte came for the idle period.
pub(crate) fn silence(address: &Address, idle: Duration) -> LlmFailure {
    LlmFailure::new("TIMEOUT", format!("the model provider at {address} was silent for {} ms", idle.as_millis()))
}

/// An answer that promised success and holds no events: the page of a proxy, say.
pub(crate) fn no_events(address: &Address, content_type: Option<&str>, body: &[u8]) -> LlmFailure {
    if let Some(error) = serde_json::from_slice::<Json>(body).ok().as_ref().and_then(|json| json.get("error")) {
        return reported(error);
    }
    let form = content_type.map_or_else(|| "no content type".to_owned(), |form| format!("`{form}`"));
    let start: String = String::from_utf8_lossy(body).trim().chars().take(QUOTED).collect();
    let message = format!("the model provider at {address} answered with {form} instead of a stream of events: {start}");
    LlmFailure::new("MALFORMED_RESPONSE", message)
}

/// The provider's name of the request.
pub(crate) fn request_id(headers: &HeaderMap) -> Option<String> {
    let named = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).filter(|id| !id.is_empty());
    named("x-request-id").or_else(|| named("x-deepseek-request-id")).map(str::to_owned)
}

/// How long the provider asks to wait, in milliseconds: seconds, or a date that is still to come.
pub(crate) fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<u64> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let millis = if value.bytes().all(|byte| byte.is_ascii_digit()) {
        value.parse::<u64>().ok()?.checked_mul(1000)?
    } else {
        u64::try_from(http_date::parse(value)?.0.checked_sub(now.0)?).ok()?
    };
    (millis > 0).then_some(millis)
}

#[cfg(test)]
mod tests {
    use dsh_runtime::Timestamp;
    use reqwest::header::{HeaderMap, HeaderValue, RETRY_AFTER};

    use super::{Refusal, retry_after};
    use crate::address::Address;
    use crate::detail::Detail;

    fn code(status: u16, body: &str) -> String {
        let address = Address::of(&"http://provider/v1?secret".parse().unwrap());
        let refusal = Refusal { address: &address, status, detail: Detail::read(body.as_bytes()), key_variable: "KEY" };
        let failure = refusal.into_failure();
        assert!(failure.message.contains("at http://provider/v1 answered with status"), "{failure}");
        failure.code
    }

    #[test]
    fn codes_follow_status_and_wording() {
        let context = r#"{"error":{"message":"This model's maximum context length is 131072 tokens.","code":"invalid_request_error"}}"#;
        for (status, body, expected) in [
            (401, r#"{"error":{"message":"insufficient balance"}}"#, "AUTH"),
            (403, "", "AUTH"),
            (413, "quota exceeded", "INVALID_REQUEST"),
            (402, r#"{"error":{"message":"Insufficient Balance"}}"#, "QUOTA"),
            (429, r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota"}}"#, "QUOTA"),
            (429, r#"{"error":{"message":"slow down"}}"#, "RATE_LIMIT"),
            (400, context, "CONTEXT_WINDOW_EXCEEDED"),
            (400, r#"{"error":{"message":"bad","code":"context_length_exceeded"}}"#, "CONTEXT_WINDOW_EXCEEDED"),
            (400, r#"{"error":"bad tools"}"#, "INVALID_REQUEST"),
            (500, context, "SERVER"),
            (503, "<html>busy</html>", "SERVER"),
            (402, "", "HTTP_402"),
            (307, "", "HTTP_307"),
        ] {
            assert_eq!(code(status, body), expected, "{status} {body}");
        }
    }

    #[test]
    fn a_pause_is_seconds_or_a_date_to_come() {
        let now = Timestamp(784_111_770_000);
        for (value, expected) in [
            ("7", Some(7000)),
            ("0", None),
            ("99999999999999999999", None),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(7000)),
            ("Sun, 06 Nov 1994 08:49:30 GMT", None),
            ("Sun, 06 Nov 1993 08:49:37 GMT", None),
            ("soon", None),
            ("-3", None),
        ] {
            let headers = HeaderMap::from_iter([(RETRY_AFTER, HeaderValue::from_static(value))]);
            assert_eq!(retry_after(&headers, now), expected, "{value}");
        }
        assert_eq!(retry_after(&HeaderMap::new(), now), None);
    }
}

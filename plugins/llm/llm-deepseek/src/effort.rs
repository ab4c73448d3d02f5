//! The request's members on reasoning.

use dsh_llm::Purpose;
use dsh_message::LlmFailure;
use serde::Serialize;

use crate::config::{Effort, Thinking};

/// `thinking` and `reasoning_effort` of a request body.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Reasoning {
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<ThinkingMember>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<&'static str>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct ThinkingMember {
    r#type: &'static str,
}

/// Decides both from the row's setting, the call's effort and what the call is for.
pub(crate) fn reasoning(thinking: Option<Thinking>, effort: Option<&str>, purpose: Option<Purpose>) -> Result<Reasoning, LlmFailure> {
    let state = |state: Thinking| Some(ThinkingMember { r#type: state.as_str() });
    let off = Reasoning { thinking: state(Thinking::Disabled), reasoning_effort: None };
    let Some(effort) = effort else {
        let left = Reasoning { thinking: thinking.and_then(state), reasoning_effort: None };
        return Ok(if purpose == Some(Purpose::SessionTitle) { off } else { left });
    };
    if purpose == Some(Purpose::SessionTitle) || effort == Effort::Off.as_str() {
        return Ok(off);
    }
    let known = [Effort::Low, Effort::High, Effort::Max].into_iter().find(|known| known.as_str() == effort);
    match known {
        Some(_) if thinking == Some(Thinking::Disabled) => Err(LlmFailure::new(
            "UNSUPPORTED_REASONING_EFFORT",
            format!("reasoning effort `{effort}` is not available: thinking is disabled"),
        )),
        Some(known) => Ok(Reasoning { thinking: state(Thinking::Enabled), reasoning_effort: Some(known.as_str()) }),
        None => {
            let message = format!("there is no reasoning effort `{effort}`; there are `off`, `low`, `high`, `max`");
            Err(LlmFailure::new("UNSUPPORTED_REASONING_EFFORT", message))
        }
    }
}

#[cfg(test)]
mod tests {
    use dsh_json::to_text;
    use dsh_llm::Purpose;

    use super::reasoning;
    use crate::config::Thinking::{self, Disabled, Enabled};

    fn text(thinking: Option<Thinking>, effort: Option<&str>, purpose: Option<Purpose>) -> String {
        match reasoning(thinking, effort, purpose) {
            Ok(members) => to_text(&members).unwrap(),
            Err(failure) => failure.code,
        }
    }

    #[test]
    fn members_follow_setting_effort_and_purpose() {
        let disabled = r#"{"thinking":{"type":"disabled"}}"#;
        for (thinking, effort, purpose, expected) in [
            (None, None, None, "{}"),
            (Some(Enabled), None, None, r#"{"thinking":{"type":"enabled"}}"#),
            (Some(Disabled), None, None, disabled),
            (None, Some("off"), None, disabled),
            (Some(Disabled), Some("off"), None, disabled),
            (None, Some("max"), None, r#"{"thinking":{"type":"enabled"},"reasoning_effort":"max"}"#),
            (None, Some("low"), Some(Purpose::Compaction), r#"{"thinking":{"type":"enabled"},"reasoning_effort":"low"}"#),
            (Some(Enabled), Some("high"), Some(Purpose::SessionTitle), disabled),
            (Some(Disabled), Some("high"), None, "UNSUPPORTED_REASONING_EFFORT"),
            (None, Some("extreme"), None, "UNSUPPORTED_REASONING_EFFORT"),
        ] {
            assert_eq!(text(thinking, effort, purpose), expected, "{thinking:?} {effort:?} {purpose:?}");
        }
    }
}

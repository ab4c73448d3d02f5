//! What a provider says of a failure.

use dsh_json::Json;

/// Longest message taken over, in characters.
const MESSAGE_LIMIT: usize = 1000;

/// A provider's words on a failure.
pub(crate) struct Detail {
    /// For people; may be empty.
    pub(crate) message: String,
    /// Message, code and type in lower case, to tell kinds apart.
    wording: String,
}

impl Detail {
    /// Reads the body of a refusal: JSON with an `error` member, or any text.
    pub(crate) fn read(body: &[u8]) -> Self {
        match serde_json::from_slice::<Json>(body) {
            Ok(json) => Self::of(json.get("error").unwrap_or(&json)),
            Err(_) => Self::from_words(String::from_utf8_lossy(body).trim(), &[]),
        }
    }

    /// Reads an `error` member.
    pub(crate) fn of(error: &Json) -> Self {
        let text = |key: &str| error.get(key).and_then(Json::as_text).map(ToString::to_string).unwrap_or_default();
        let message = error.as_text().map_or_else(|| text("message"), ToString::to_string);
        Self::from_words(message.trim(), &[text("code"), text("type")])
    }

    fn from_words(message: &str, more: &[String]) -> Self {
        let wording = format!("{message} {}", more.join(" ")).to_lowercase();
        Self { message: message.chars().take(MESSAGE_LIMIT).collect(), wording }
    }

    /// Whether the account's means are used up.
    pub(crate) fn is_quota(&self) -> bool {
        const MEANS: [&str; 4] = ["quota", "balance", "credit", "budget"];
        const USED_UP: [&str; 9] = ["insufficient", "exceed", "exhaust", "deplet", "not enough", "out of", "used up", "too low", "run out"];
        self.has_any(&MEANS) && self.has_any(&USED_UP)
    }

    /// Whether the request is larger than the model's context.
    pub(crate) fn is_context(&self) -> bool {
        const TOO_LONG: [&str; 8] = [
            "context length",
            "context_length",
            "context window",
            "context limit",
            "maximum context",
            "too many tokens",
            "prompt is too long",
            "input is too long",
        ];
        self.has_any(&TOO_LONG)
    }

    fn has_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.wording.contains(word))
    }
}

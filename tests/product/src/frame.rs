//! Frames that a binary sends.

use serde_json::Value;

use crate::readable;

/// A line of standard output, which must be a JSON object.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The line as it came.
    pub text: String,
    /// What it says; lone surrogates are written as [`readable`] does.
    pub value: Value,
}

impl Frame {
    /// Reads a line without its end.
    ///
    /// # Errors
    /// When it is no frame.
    pub fn read(line: Vec<u8>) -> Result<Self, String> {
        let text = String::from_utf8(line).map_err(|error| format!("a line of standard output is not UTF-8: {error}"))?;
        match serde_json::from_str(&readable(&text)) {
            Ok(value @ Value::Object(_)) => Ok(Self { text, value }),
            _ => Err(format!("a line of standard output is no frame: {text}")),
        }
    }

    /// The method, of a notification.
    #[must_use]
    pub fn method(&self) -> Option<&str> {
        self.value["method"].as_str()
    }

    /// The session that a notification is about.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        self.value["params"]["sessionId"].as_str()
    }

    /// The session's event that a notification tells of.
    #[must_use]
    pub fn event(&self) -> Option<&Value> {
        (self.method()? == "session.event").then(|| &self.value["params"]["event"])
    }

    /// What the notification is about in one word: an event's type, `running`, `idle`; for an answer the word `answer`.
    #[must_use]
    pub fn kind(&self) -> &str {
        let told = match self.method() {
            Some("session.event") => self.value["params"]["event"]["type"].as_str(),
            Some("session.status") => self.value["params"]["status"].as_str(),
            Some(other) => Some(other),
            None => Some("answer"),
        };
        told.unwrap_or("")
    }

    /// Whether it tells that a session is idle.
    #[must_use]
    pub fn is_idle(&self, session: &str) -> bool {
        self.kind() == "idle" && self.session() == Some(session)
    }
}

/// The events of a session among frames, in order.
#[must_use]
pub fn events_of(frames: &[Frame], session: &str) -> Vec<Value> {
    frames.iter().filter(|frame| frame.session() == Some(session)).filter_map(|frame| frame.event().cloned()).collect()
}

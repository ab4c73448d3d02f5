//! The parameters of a request.

use dsh_json::{JsString, RawValue};
use dsh_message::{ContentBlock, SessionId};

use crate::error::MethodError;
use crate::frame::{is_number, is_string};

/// Largest integer that a client of the wire holds exactly: 2^53 − 1.
const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

/// Deepest nesting of a prompt's content: reading it takes a piece of the stack for each level.
const MOST_DEPTH: usize = 128;

/// The members of a request's parameters.
pub(crate) struct Params(Vec<(JsString, Box<RawValue>)>);

impl Params {
    pub(crate) fn new(members: Vec<(JsString, Box<RawValue>)>) -> Self {
        Self(members)
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// A member as it came; of a repeated one the last counts.
    pub(crate) fn get(&self, name: &str) -> Option<&RawValue> {
        self.0.iter().rev().find(|(key, _)| *key == name).map(|(_, value)| &**value)
    }

    /// A string; `None` when the member is absent, something else, or holds a lone surrogate.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let raw = self.get(name).filter(|raw| is_string(raw))?;
        serde_json::from_str(raw.get()).ok()
    }

    /// The id of a session.
    pub(crate) fn session_id(&self) -> Result<SessionId, MethodError> {
        match self.text("sessionId") {
            Some(id) if !id.is_empty() => Ok(SessionId::from(id)),
            _ => Err(MethodError::Params("`sessionId` must be a non-empty string without lone surrogates".to_owned())),
        }
    }

    /// The content of a prompt.
    pub(crate) fn content_blocks(&self) -> Result<Vec<ContentBlock>, MethodError> {
        let wrong = || MethodError::Params("`contentBlocks` must be an array of content blocks".to_owned());
        let raw = self.get("contentBlocks").ok_or_else(wrong)?;
        if depth(raw.get()) > MOST_DEPTH {
            return Err(MethodError::Params("`contentBlocks` is nested too deeply".to_owned()));
        }
        let blocks: Vec<Box<RawValue>> = serde_json::from_str(raw.get()).map_err(|_| wrong())?;
        let block = |(at, raw): (usize, Box<RawValue>)| {
            serde_json::from_str(raw.get())
                .map_err(|error| MethodError::Params(format!("`contentBlocks[{at}]` is no content block: {error}")))
        };
        blocks.into_iter().enumerate().map(block).collect()
    }

    /// A positive integer that is held exactly; `Some(Err(()))` for a member that is anything else.
    pub(crate) fn positive_integer(&self, name: &str) -> Option<Result<u64, ()>> {
        let raw = self.get(name)?;
        let number = if is_number(raw) { serde_json::from_str::<f64>(raw.get()).unwrap_or(f64::NAN) } else { f64::NAN };
        // In this range the conversion is exact.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        Some(if number.fract() == 0.0 && (1.0..=MAX_SAFE).contains(&number) { Ok(number as u64) } else { Err(()) })
    }
}

/// How deeply arrays and objects are nested in a JSON text.
fn depth(json: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut in_string, mut escaped) = (false, false);
    for byte in json.bytes() {
        match byte {
            _ if std::mem::take(&mut escaped) => {}
            b'\\' => escaped = in_string,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::depth;

    #[test]
    fn brackets_in_strings_do_not_nest() {
        assert_eq!(depth(r#"[{"a":"[[{\"[","b\\":[]},[]]"#), 3);
        assert_eq!(depth("1"), 0);
    }
}

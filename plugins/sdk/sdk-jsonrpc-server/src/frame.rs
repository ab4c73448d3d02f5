//! Frames: one JSON object a line.

use std::fmt;

use dsh_json::{JsString, JsonError, RawValue, to_text};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::error::CODE;
use crate::params::Params;

/// A request that wants an answer.
pub(crate) struct Request {
    /// As it came: a string or a number.
    pub(crate) id: Box<RawValue>,
    pub(crate) method: String,
    pub(crate) params: Params,
}

/// Reads a line. Only a request yields something: answers and notifications of a client mean nothing to this server, and what
/// is no JSON object is passed over.
pub(crate) fn read(line: &[u8]) -> Option<Request> {
    let text = String::from_utf8_lossy(line);
    let Members(members) = serde_json::from_str(text.trim_matches(is_white_space)).ok()?;
    let member = |name: &str| members.iter().rev().find(|(key, _)| *key == name).map(|(_, value)| &**value);
    let id = member("id").filter(|id| is_string(id) || is_number(id))?;
    let method: JsString =
        member("method").filter(|method| is_string(method)).and_then(|method| serde_json::from_str(method.get()).ok())?;
    let Members(params) = member("params").and_then(|params| serde_json::from_str(params.get()).ok()).unwrap_or_default();
    Some(Request { id: id.to_owned(), method: method.to_lossy().into_owned(), params: Params::new(params) })
}

/// White space as ECMAScript trims it.
fn is_white_space(character: char) -> bool {
    character.is_whitespace() || character == '\u{feff}'
}

pub(crate) fn is_string(raw: &RawValue) -> bool {
    raw.get().starts_with('"')
}

pub(crate) fn is_number(raw: &RawValue) -> bool {
    raw.get().starts_with(|first: char| first == '-' || first.is_ascii_digit())
}

/// The members of an object in order; of a repeated one the last counts.
#[derive(Default)]
pub(crate) struct Members(pub(crate) Vec<(JsString, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// The answer to a request that was carried out.
pub(crate) fn result(id: &RawValue, result: &impl Serialize) -> Result<String, JsonError> {
    #[derive(Serialize)]
    struct Frame<'a, R> {
        jsonrpc: &'static str,
        id: &'a RawValue,
        result: &'a R,
    }
    to_text(&Frame { jsonrpc: "2.0", id, result })
}

/// The answer to a request that failed.
pub(crate) fn error(id: &RawValue, message: &str) -> Result<String, JsonError> {
    #[derive(Serialize)]
    struct Frame<'a> {
        jsonrpc: &'static str,
        id: &'a RawValue,
        error: Error<'a>,
    }
    #[derive(Serialize)]
    struct Error<'a> {
        code: i32,
        message: &'a str,
    }
    to_text(&Frame { jsonrpc: "2.0", id, error: Error { code: CODE, message } })
}

/// A notification.
pub(crate) fn notification(method: &str, params: &impl Serialize) -> Result<String, JsonError> {
    #[derive(Serialize)]
    struct Frame<'a, P> {
        jsonrpc: &'static str,
        method: &'a str,
        params: &'a P,
    }
    to_text(&Frame { jsonrpc: "2.0", method, params })
}

#[cfg(test)]
mod fuzz;

#[cfg(test)]
mod tests {
    use super::read;

    /// Id, method and number of parameters of the request in a line.
    fn request(line: &str) -> Option<(String, String, usize)> {
        read(line.as_bytes()).map(|request| (request.id.get().to_owned(), request.method, request.params.len()))
    }

    #[test]
    fn ids_are_strings_or_numbers_and_kept_as_they_came() {
        for id in ["1.5", "\"\"", "0", "-1", "\"\\ud800\"", "1e3", "12345678901234567890"] {
            assert_eq!(request(&format!("{{\"id\":{id},\"method\":\"m\"}}")), Some((id.to_owned(), "m".to_owned(), 0)));
        }
    }

    #[test]
    fn what_is_no_request_is_passed_over() {
        for line in [
            "",
            "  ",
            "{",
            "null",
            "1",
            "\"m\"",
            "[{\"id\":1,\"method\":\"m\"}]",
            "{}",
            "{\"id\":1}",
            "{\"method\":\"m\"}",
            "{\"id\":null,\"method\":\"m\"}",
            "{\"id\":true,\"method\":\"m\"}",
            "{\"id\":{},\"method\":\"m\"}",
            "{\"id\":1,\"method\":1}",
            "{\"id\":1,\"result\":{}}",
            "{\"id\":1,\"method\":\"m\"} x",
        ] {
            assert_eq!(request(line), None, "{line}");
        }
    }

    #[test]
    fn surroundings_of_a_frame_do_not_matter() {
        for line in ["\u{feff}{\"id\":1,\"method\":\"m\"}\r", " \t{\"id\" : 1 , \"method\" : \"m\", \"jsonrpc\": 7}\u{a0}"] {
            assert_eq!(request(line), Some(("1".to_owned(), "m".to_owned(), 0)), "{line}");
        }
    }

    #[test]
    fn parameters_that_are_no_object_are_none_and_the_last_of_a_repeated_member_counts() {
        for params in ["null", "[1]", "3", "{}"] {
            assert_eq!(request(&format!("{{\"id\":1,\"method\":\"m\",\"params\":{params}}}")).map(|(.., count)| count), Some(0));
        }
        let line = r#"{"id":1,"method":"a","params":{"x":1,"\ud800":2},"method":"b","id":2}"#;
        assert_eq!(request(line), Some(("2".to_owned(), "b".to_owned(), 2)));
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        assert!(read(b"{\"id\":1,\"method\":\"\xff\"}").is_some_and(|request| request.method == "\u{fffd}"));
    }
}

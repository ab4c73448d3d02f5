//! Strings of UTF-16 code units, held as WTF-8.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::de::{Error as _, Visitor};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// A string that may hold lone surrogates. Inside it is WTF-8 (UTF-8 that also encodes single surrogates as three bytes), so a
/// string without any is plain UTF-8. Cloning is cheap.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JsString {
    bytes: Arc<[u8]>,
}

impl JsString {
    /// The string when it holds no lone surrogate.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }

    /// The string with U+FFFD for each lone surrogate.
    #[must_use]
    pub fn to_lossy(&self) -> Cow<'_, str> {
        match std::str::from_utf8(&self.bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(self.code_points().map(|point| char::from_u32(point).unwrap_or('\u{fffd}')).collect()),
        }
    }

    /// Whether it has no characters.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether it holds nothing but white space.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.as_str().is_some_and(|text| text.trim().is_empty())
    }

    /// Length in bytes of UTF-8, in which a lone surrogate would take three.
    #[must_use]
    pub fn byte_len(&self) -> usize {
        self.bytes.len()
    }

    /// The first lone surrogate, and how many characters stand before it.
    #[must_use]
    pub fn first_lone_surrogate(&self) -> Option<(usize, u16)> {
        let lone = |(at, point): (usize, u32)| if char::from_u32(point).is_none() { Some((at, u16::try_from(point).ok()?)) } else { None };
        self.code_points().enumerate().find_map(lone)
    }

    /// Length in UTF-16 code units, which is what ECMAScript counts.
    #[must_use]
    pub fn utf16_len(&self) -> usize {
        self.code_points().map(|point| if point > 0xFFFF { 2 } else { 1 }).sum()
    }

    /// Appends another; a high and a low surrogate that meet become one character.
    #[must_use]
    pub fn concat(parts: &[Self]) -> Self {
        let mut bytes = Vec::with_capacity(parts.iter().map(|part| part.bytes.len()).sum());
        for part in parts {
            push_joining(&mut bytes, &part.bytes);
        }
        Self { bytes: bytes.into() }
    }

    /// Its code points, lone surrogates included.
    fn code_points(&self) -> impl Iterator<Item = u32> + '_ {
        let mut at = 0;
        std::iter::from_fn(move || {
            let (point, length) = decode(self.bytes.get(at..)?)?;
            at += length;
            Some(point)
        })
    }

    fn to_json(&self) -> String {
        let mut out = String::from("\"");
        for point in self.code_points() {
            match char::from_u32(point) {
                Some('"') => out.push_str("\\\""),
                Some('\\') => out.push_str("\\\\"),
                Some('\n') => out.push_str("\\n"),
                Some('\r') => out.push_str("\\r"),
                Some('\t') => out.push_str("\\t"),
                Some('\u{8}') => out.push_str("\\b"),
                Some('\u{c}') => out.push_str("\\f"),
                Some(control) if control < ' ' => out.push_str(&format!("\\u{point:04x}")),
                Some(character) => out.push(character),
                None => out.push_str(&format!("\\u{point:04x}")),
            }
        }
        out.push('"');
        out
    }
}

/// Decodes the first code point of WTF-8. The bytes come from a checked string or from serde_json, so a sequence is whole; a
/// byte that starts none yields itself, which cannot occur.
fn decode(bytes: &[u8]) -> Option<(u32, usize)> {
    let first = u32::from(*bytes.first()?);
    let length = match first {
        0x00..=0x7F => return Some((first, 1)),
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        _ => 4,
    };
    let start = first & (0x7F >> length);
    let rest = bytes.get(1..length)?;
    Some((rest.iter().fold(start, |point, byte| (point << 6) | u32::from(byte & 0x3F)), length))
}

fn push_joining(out: &mut Vec<u8>, next: &[u8]) {
    // ED A0..AF xx is a high surrogate, ED B0..BF xx a low one.
    let high = out.len().checked_sub(3).filter(|&at| out[at] == 0xED && (0xA0..=0xAF).contains(&out[at + 1]));
    let low = next.len() >= 3 && next[0] == 0xED && (0xB0..=0xBF).contains(&next[1]);
    if let (Some(at), true) = (high, low)
        && let (Some((high, _)), Some((low, _))) = (decode(&out[at..]), decode(next))
        && let Some(joined) = char::from_u32(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    {
        out.truncate(at);
        out.extend_from_slice(joined.encode_utf8(&mut [0; 4]).as_bytes());
        out.extend_from_slice(&next[3..]);
        return;
    }
    out.extend_from_slice(next);
}

impl From<&str> for JsString {
    fn from(text: &str) -> Self {
        Self { bytes: text.as_bytes().into() }
    }
}

impl From<String> for JsString {
    fn from(text: String) -> Self {
        Self { bytes: text.into_bytes().into() }
    }
}

impl PartialEq<str> for JsString {
    fn eq(&self, other: &str) -> bool {
        &*self.bytes == other.as_bytes()
    }
}

impl PartialEq<&str> for JsString {
    fn eq(&self, other: &&str) -> bool {
        &*self.bytes == other.as_bytes()
    }
}

impl fmt::Debug for JsString {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.to_json())
    }
}

impl fmt::Display for JsString {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.to_lossy())
    }
}

impl Serialize for JsString {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_str() {
            Some(text) => serializer.serialize_str(text),
            None => RawValue::from_string(self.to_json()).map_err(S::Error::custom)?.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for JsString {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = JsString;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a string")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<JsString, E> {
                Ok(text.into())
            }
            fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<JsString, E> {
                let string = JsString { bytes: bytes.into() };
                let whole = string
                    .code_points()
                    .map(|point| if point > 0xFFFF { 4 } else { [1, 2, 3][usize::from(point > 0x7F) + usize::from(point > 0x7FF)] });
                if whole.sum::<usize>() == bytes.len() { Ok(string) } else { Err(E::custom("a string that is not WTF-8")) }
            }
        }
        // serde_json hands the bytes of a string over as WTF-8; as `str` it refuses lone surrogates.
        deserializer.deserialize_bytes(Text).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::JsString;

    fn round(json: &str) -> String {
        let read: JsString = serde_json::from_str(json).unwrap();
        serde_json::to_string(&read).unwrap()
    }

    #[test]
    fn lone_surrogates_survive_reading_and_writing() {
        assert_eq!(round(r#""a\uD83Db""#), r#""a\ud83db""#);
        assert_eq!(round(r#""\udc00\ud800""#), r#""\udc00\ud800""#);
        assert_eq!(round(r#""\uD83D\uDE00 é 漢 \n\u0001\"""#), "\"😀 é 漢 \\n\\u0001\\\"\"");
    }

    #[test]
    fn halves_that_meet_become_one_character() {
        let high: JsString = serde_json::from_str(r#""x\ud83d""#).unwrap();
        let low: JsString = serde_json::from_str(r#""\ude00y""#).unwrap();
        assert_eq!(JsString::concat(&[high.clone(), low]), "x😀y");
        assert_eq!(high.to_lossy(), "x\u{fffd}");
        assert_eq!(high.as_str(), None);
    }

    #[test]
    fn length_counts_utf16_units_or_bytes() {
        assert_eq!((JsString::from("aé😀").utf16_len(), JsString::from("aé😀").byte_len()), (4, 7));
    }

    #[test]
    fn a_lone_surrogate_is_found() {
        let lone: JsString = serde_json::from_str(r#""é😀\ud83d\udc00\ud800 \udc00""#).unwrap();
        assert_eq!(lone.first_lone_surrogate(), Some((3, 0xD800)));
        assert_eq!(JsString::from("\u{fffd}").first_lone_surrogate(), None);
    }

    #[test]
    fn other_json_types_are_refused() {
        assert!(serde_json::from_str::<JsString>("5").is_err());
        assert!(serde_json::from_str::<JsString>("[1]").is_err());
    }
}

//! JSON with lone surrogates, which the format allows and strings of Rust cannot hold.

use std::borrow::Cow;

const OPEN: &str = "{{surrogate:";
const CLOSE: &str = "}}";

/// The text of a JSON value in which each escape of a lone surrogate is written as `{{surrogate:d83d}}`.
#[must_use]
pub fn readable(json: &str) -> Cow<'_, str> {
    if !json.contains("\\u") {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match (unit(rest), rest.get(6..).and_then(unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(lone @ 0xD800..=0xDFFF), _) => {
                out.push_str(&format!("{OPEN}{lone:04x}{CLOSE}"));
                rest = &rest[6..];
                continue;
            }
            (Some(_), _) => 6,
            // A backslash and the character that it escapes, which is one of ASCII.
            (None, _) => 2.min(rest.len()),
        };
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The inverse of [`readable`].
#[must_use]
pub fn restored(json: &str) -> String {
    let mut pieces = json.split(OPEN);
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match piece.split_once(CLOSE) {
            Some((code, rest)) if code.len() == 4 => out.push_str(&format!("\\u{code}{rest}")),
            _ => out.push_str(&format!("{OPEN}{piece}")),
        }
    }
    out
}

/// The code unit of the escape `\uXXXX` at the start of a text.
fn unit(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::{readable, restored};

    #[test]
    fn lone_surrogates_change_and_come_back() {
        for (json, read) in [
            (r#"{"a":"x"}"#, r#"{"a":"x"}"#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\ud83d""#, r#""{{surrogate:d83d}}""#),
            (r#""\ude00\ud83d\n""#, r#""{{surrogate:de00}}{{surrogate:d83d}}\n""#),
            (r#""\ud83d\ud83d\ude00""#, r#""{{surrogate:d83d}}\ud83d\ude00""#),
            (r#""\\ud83d \u00e9 \"""#, r#""\\ud83d \u00e9 \"""#),
        ] {
            assert_eq!(readable(json), read);
            assert_eq!(restored(read), json);
        }
    }
}

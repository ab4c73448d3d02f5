//! Bounds of a record, so that a reader can hold a line.

use dsh_json::{JsString, Json};

/// Most bytes of a string.
const MOST_STRING: usize = 8192;
/// Most bytes of a line.
const MOST_LINE: usize = 32_768;
/// Deepest nesting of a member.
const MOST_DEPTH: usize = 64;
/// Stands for what lies deeper.
const DEEPER: &str = "…";

/// How far a record is cut.
struct Cut {
    most_string: usize,
    /// Whether objects and lists become their text.
    flat: bool,
    /// Whether something was cut.
    truncated: bool,
}

/// A record on one line, its end included. Strings are cut first; where that is not enough, objects and lists become their text
/// and all strings are cut further.
pub(crate) fn line(kind: &str, members: Vec<(&str, Json)>) -> String {
    let mut cut = Cut { most_string: MOST_STRING, flat: false, truncated: false };
    loop {
        let mut record = vec![("type".to_owned(), Json::Text(kind.into()))];
        record.extend(members.iter().map(|(name, value)| ((*name).to_owned(), cut.member(value))));
        if cut.truncated {
            record.push(("truncated".to_owned(), Json::Bool(true)));
        }
        // What was read, or consists of texts and counts, has a JSON form.
        let text = dsh_json::to_text(&Json::Object(record)).unwrap_or_default();
        if text.len() < MOST_LINE || cut.most_string == 0 {
            return text + "\n";
        }
        cut = Cut { most_string: if cut.flat { cut.most_string / 2 } else { MOST_STRING }, flat: true, truncated: true };
    }
}

impl Cut {
    fn member(&mut self, value: &Json) -> Json {
        match value {
            Json::Object(_) | Json::List(_) if self.flat => {
                self.text(&JsString::from(dsh_json::to_text(value).unwrap_or_default().as_str()))
            }
            value => self.value(value, MOST_DEPTH),
        }
    }

    fn value(&mut self, value: &Json, depth: usize) -> Json {
        match (value, depth.checked_sub(1)) {
            (Json::Text(text), _) => self.text(text),
            (Json::List(_) | Json::Object(_), None) => {
                self.truncated = true;
                Json::Text(DEEPER.into())
            }
            (Json::List(items), Some(depth)) => Json::List(items.iter().map(|item| self.value(item, depth)).collect()),
            (Json::Object(members), Some(depth)) => {
                Json::Object(members.iter().map(|(key, value)| (self.cut(key).to_owned(), self.value(value, depth))).collect())
            }
            (other, _) => other.clone(),
        }
    }

    fn text(&mut self, text: &JsString) -> Json {
        let lossy = text.to_lossy();
        // A lone surrogate has three bytes, as what stands for it.
        if lossy.len() <= self.most_string { Json::Text(text.clone()) } else { Json::Text(self.cut(&lossy).into()) }
    }

    fn cut<'a>(&mut self, text: &'a str) -> &'a str {
        let end = text.floor_char_boundary(self.most_string);
        self.truncated |= end < text.len();
        &text[..end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_cut_between_characters() {
        let short = "é".repeat(MOST_STRING / 2);
        assert_eq!(
            line("text", vec![("text", Json::Text(short.as_str().into()))]),
            format!("{{\"type\":\"text\",\"text\":\"{short}\"}}\n")
        );
        let long = Json::Text(format!("a{short}").as_str().into());
        let cut = format!("{{\"type\":\"text\",\"text\":\"a{}\",\"truncated\":true}}\n", "é".repeat(MOST_STRING / 2 - 1));
        assert_eq!(line("text", vec![("text", long)]), cut);
    }

    #[test]
    fn deep_values_are_cut() {
        let nested = |depth: usize| (1..depth).fold(Json::List(Vec::new()), |inside, _| Json::List(vec![inside]));
        assert!(!line("tool_call", vec![("input", nested(MOST_DEPTH))]).contains("truncated"));
        assert!(line("tool_call", vec![("input", nested(MOST_DEPTH + 1))]).ends_with("\"truncated\":true}\n"));
    }

    #[test]
    fn no_line_is_longer_than_the_limit() {
        let many = Json::List(vec![Json::Text("x".repeat(8000).as_str().into()); 10]);
        let escaped = Json::Text("\u{1}".repeat(8000).as_str().into());
        let small = Json::List(vec![Json::Number(1.0); 40_000]);
        for value in [many, escaped, small] {
            let line = line("tool_call", vec![("input", value)]);
            assert!(line.len() <= MOST_LINE && line.ends_with(",\"truncated\":true}\n"), "{} bytes", line.len());
        }
    }
}

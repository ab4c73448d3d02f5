//! A session's log as it lies on disk.

use std::path::Path;

use serde_json::{Map, Value, json};

use crate::readable;

/// A log that was read. Lone surrogates are written as [`readable`] does.
#[derive(Clone, Debug)]
pub struct Log {
    /// The first line.
    pub header: Value,
    /// The events; a line that stands for a run of stream chunks is taken apart.
    pub events: Vec<Value>,
}

impl Log {
    /// Reads a file. An unfinished last line is left out.
    ///
    /// # Panics
    /// When it cannot be read or holds something else.
    #[must_use]
    pub fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Self::parse(&text)
    }

    /// Reads the text of a file.
    ///
    /// # Panics
    /// When it holds something else.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let mut lines = whole.lines().map(|line| {
            let record: Value =
                serde_json::from_str(&readable(line)).unwrap_or_else(|error| panic!("a line of the log is no JSON ({error}): {line}"));
            record
        });
        let header = lines.next().expect("a log has a header");
        Self { header, events: lines.flat_map(events).collect() }
    }

    /// The types of the events.
    #[must_use]
    pub fn kinds(&self) -> Vec<&str> {
        self.events.iter().filter_map(|event| event["type"].as_str()).collect()
    }
}

/// The events of a line.
fn events(record: Value) -> Vec<Value> {
    let (delta, pieces, member) = match record["type"].as_str() {
        Some("text-chunks") => ("text-delta", "texts", "text"),
        Some("reasoning-chunks") => ("reasoning-delta", "texts", "text"),
        Some("tool-call-chunks") => ("tool-call-delta", "args", "argumentsDelta"),
        _ => return vec![record],
    };
    let data = &record["data"];
    let mut time = record["time0"].as_i64().expect("a packed line has a time");
    let seq = record["seq0"].as_u64().expect("a packed line has a number");
    let texts = data[pieces].as_array().expect("a packed line has pieces");
    let gaps = data["dt"].as_array().expect("a packed line has gaps");
    assert_eq!(gaps.len() + 1, texts.len(), "a packed line has one gap between two pieces each: {record}");
    let mut events = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        time += at.checked_sub(1).map_or(0, |before| gaps[before].as_i64().expect("a gap is a number"));
        let mut chunk = Map::new();
        chunk.insert("type".to_owned(), delta.into());
        for key in ["index", "id", "name"] {
            chunk.extend(data.get(key).map(|value| (key.to_owned(), value.clone())));
        }
        chunk.insert(member.to_owned(), text.clone());
        let data = json!({ "turn": data["turn"], "step": data["step"], "chunk": chunk });
        events.push(json!({ "type": "assistant/chunk", "seq": seq + at as u64, "time": time, "data": data }));
    }
    events
}

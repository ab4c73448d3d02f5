//! What a model must be sent, worked out from the log alone: line by line, so that a log of any length can be looked at.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde_json::Value;

/// A message in the words that are compared: who says it, its text, and the ids of calls in it.
pub(super) type Said = (String, String, Vec<String>);

/// The messages of a request, without the system prompt.
pub(super) fn sent(body: &Value) -> Vec<Said> {
    let messages = body["messages"].as_array().into_iter().flatten().filter(|message| message["role"] != "system");
    let said = messages.map(|message| {
        let ids = match message["role"].as_str() {
            Some("tool") => vec![text_of(&message["tool_call_id"])],
            _ => message["tool_calls"].as_array().into_iter().flatten().map(|call| text_of(&call["id"])).collect(),
        };
        (text_of(&message["role"]), joined(&message["content"]), ids)
    });
    said.collect()
}

/// The messages that a log has in force before the last reply in it.
pub(super) fn expected(path: &Path) -> Result<Vec<Said>, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let reader: Box<dyn Read> = match path.extension().is_some_and(|end| end == "zstd") {
        true => Box::new(zstd::stream::read::Decoder::new(file).map_err(|error| error.to_string())?),
        false => Box::new(file),
    };
    let mut nodes: Vec<(u64, Said)> = Vec::new();
    for line in BufReader::new(reader).lines() {
        let line = line.map_err(|error| error.to_string())?;
        if !line.contains("\"surfaceOp\"") {
            continue;
        }
        let event: Value = serde_json::from_str(&line).map_err(|error| error.to_string())?;
        let seq = event["seq"].as_u64().unwrap_or_default();
        let node = (seq, said(&event));
        match &event["surfaceOp"] {
            Value::String(_) => nodes.push(node),
            span => {
                let place = |edge: &str| nodes.iter().position(|(seq, _)| span[edge].as_u64() == Some(*seq));
                let (Some(start), Some(end)) = (place("start"), place("end")) else { return Err(format!("event {seq} replaces no span")) };
                nodes.splice(start..=end, [node]);
            }
        }
    }
    nodes.pop();
    Ok(nodes.into_iter().map(|(_, said)| said).collect())
}

fn said(event: &Value) -> Said {
    let data = &event["data"];
    match event["type"].as_str() {
        Some("tool/result") => {
            let block = &data["message"]["content"][0];
            ("tool".to_owned(), joined(&block["content"]), vec![text_of(&block["toolCallId"])])
        }
        Some("assistant/message") => {
            let blocks = data["message"]["content"].as_array().into_iter().flatten();
            let ids = blocks.filter(|block| block["type"] == "tool-call").map(|block| text_of(&block["id"])).collect();
            ("assistant".to_owned(), joined(&data["message"]["content"]), ids)
        }
        _ => ("user".to_owned(), joined(&data["content"]), Vec::new()),
    }
}

fn joined(content: &Value) -> String {
    match content {
        Value::Array(blocks) => blocks.iter().filter(|block| block["type"] == "text").map(|block| text_of(&block["text"])).collect(),
        other => text_of(other),
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

//! A recording as it lies on disk.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use dsh_product_tests::{Log, readable, workspace};
use serde_json::Value;

/// The recording whose log holds system prompt and tools. All others have tokens in their place.
pub const WHOLE_PROMPT: &str = "whole-prompt";

/// A recording.
pub struct Scenario {
    pub folder: PathBuf,
    /// Id of its session; it occurs nowhere else.
    pub session: String,
    /// What the user says, turn by turn.
    pub prompts: Vec<String>,
    /// Variables beside those that every run has.
    pub environment: BTreeMap<String, String>,
    /// Files that are there at the end, with their texts.
    pub files: BTreeMap<String, String>,
    /// What the model says, call by call: stream chunks.
    pub calls: Vec<Vec<Value>>,
    /// The log as it was recorded.
    pub log: Log,
    /// Whether its log holds system prompt and tools.
    pub keeps_prompt: bool,
}

fn folder() -> PathBuf {
    workspace().join("tests").join("recordings")
}

/// Names of the recordings, sorted.
pub fn recordings() -> Vec<String> {
    let entries = fs::read_dir(folder()).expect("the recordings can be listed");
    let folders = entries.map(|entry| entry.expect("a recording can be listed")).filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> = folders.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

impl Scenario {
    /// Reads a recording.
    pub fn load(name: &str) -> Self {
        let folder = folder().join(name);
        let read = |file: &str| fs::read_to_string(folder.join(file)).unwrap_or_else(|error| panic!("{name}/{file}: {error}"));
        let scenario: Value = serde_json::from_str(&readable(&read("scenario.json"))).expect("a scenario is JSON");
        let log = Log::parse(&read("session.jsonl"));
        let inputs = scenario["inputs"].as_array().expect("a scenario has inputs");
        let prompts = inputs.iter().map(|input| {
            assert_eq!(input["op"], "prompt", "{name}: every input is a prompt");
            input["text"].as_str().expect("a prompt has a text").to_owned()
        });
        Self {
            session: scenario["sessionId"].as_str().expect("a scenario names its session").to_owned(),
            prompts: prompts.collect(),
            environment: texts(&scenario["env"]),
            files: texts(&scenario["expectedFiles"]),
            calls: calls(&log),
            log,
            keeps_prompt: name == WHOLE_PROMPT,
            folder,
        }
    }
}

fn texts(members: &Value) -> BTreeMap<String, String> {
    let members = members.as_object().into_iter().flatten();
    members.map(|(key, value)| (key.clone(), value.as_str().expect("a text").to_owned())).collect()
}

/// The chunks of each call of the model that a log holds.
fn calls(log: &Log) -> Vec<Vec<Value>> {
    let mut calls: Vec<Vec<Value>> = vec![Vec::new()];
    for event in log.events.iter().filter(|event| event["type"] == "assistant/chunk") {
        let chunk = &event["data"]["chunk"];
        if let Some(call) = calls.last_mut() {
            call.push(chunk.clone());
        }
        if chunk["type"] == "finish" {
            calls.push(Vec::new());
        }
    }
    calls.retain(|call| !call.is_empty());
    calls
}

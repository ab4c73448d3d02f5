//! The rules of the Agent Trajectory Interchange Format, version 1.7, as far as a text-only trajectory of one agent touches them. Readers
//! refuse members that they do not know, so each object is held against the members that it may have.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// Members that an object must and may have; what else is known of it stands under `extra`.
struct Members(&'static [&'static str], &'static [&'static str]);

const TRAJECTORY: Members = Members(
    &["schema_version", "agent", "steps"],
    &["session_id", "trajectory_id", "notes", "final_metrics", "continued_trajectory_ref", "subagent_trajectories"],
);
const AGENT: Members = Members(&["name", "version"], &["model_name", "tool_definitions"]);
const STEP: Members = Members(
    &["step_id", "source", "message"],
    &[
        "timestamp",
        "model_name",
        "reasoning_effort",
        "reasoning_content",
        "tool_calls",
        "observation",
        "metrics",
        "is_copied_context",
        "llm_call_count",
    ],
);
const CALL: Members = Members(&["tool_call_id", "function_name", "arguments"], &[]);
const RESULT: Members = Members(&[], &["source_call_id", "content", "subagent_trajectory_ref"]);
const METRICS: Members = Members(
    &[],
    &["prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd", "prompt_token_ids", "completion_token_ids", "logprobs"],
);
const SUMS: Members =
    Members(&[], &["total_prompt_tokens", "total_completion_tokens", "total_cached_tokens", "total_cost_usd", "total_steps"]);
/// Members of steps that only an agent has.
const OF_AGENTS: [&str; 5] = ["model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics"];

/// All rules that a trajectory breaks, in words.
pub fn broken(trajectory: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let root = object(trajectory, "the trajectory", &TRAJECTORY, &mut faults);
    if root.get("schema_version") != Some(&"ATIF-v1.7".into()) {
        faults.push("the version is another one".to_owned());
    }
    if let Some(agent) = root.get("agent") {
        let agent = object(agent, "the agent", &AGENT, &mut faults);
        texts(&agent, &["name", "version", "model_name"], "the agent", &mut faults);
        for tool in list(agent.get("tool_definitions")) {
            if tool["type"] != "function" || !tool["function"]["name"].is_string() || !tool["function"]["parameters"].is_object() {
                faults.push(format!("a tool has another form: {tool}"));
            }
        }
    }
    if let Some(sums) = root.get("final_metrics") {
        let sums = object(sums, "the sums", &SUMS, &mut faults);
        numbers(&sums, "the sums", &mut faults);
    }
    let steps = list(root.get("steps"));
    if steps.is_empty() {
        faults.push("there is no step".to_owned());
    }
    for (at, value) in steps.iter().enumerate() {
        step(value, at + 1, &mut faults);
    }
    faults
}

fn step(value: &Value, number: usize, faults: &mut Vec<String>) {
    let what = format!("step {number}");
    let members = object(value, &what, &STEP, faults);
    if members.get("step_id") != Some(&number.into()) {
        faults.push(format!("{what} has another number: {:?}", members.get("step_id")));
    }
    texts(&members, &["timestamp", "source", "message", "model_name", "reasoning_content"], &what, faults);
    let source = members.get("source").and_then(Value::as_str).unwrap_or_default();
    if !["system", "user", "agent"].contains(&source) {
        faults.push(format!("{what} comes from nobody: {source}"));
    }
    faults.extend(
        OF_AGENTS.iter().filter(|name| source != "agent" && members.contains_key(**name)).map(|name| format!("{what} has `{name}`")),
    );
    if members.get("timestamp").and_then(Value::as_str).is_some_and(|time| !is_time(time)) {
        faults.push(format!("{what} has no time of ISO 8601"));
    }
    let mut calls = BTreeSet::new();
    for call in list(members.get("tool_calls")) {
        let call = object(call, &what, &CALL, faults);
        texts(&call, &["tool_call_id", "function_name"], &what, faults);
        if !call.get("arguments").is_some_and(Value::is_object) {
            faults.push(format!("a call of {what} has arguments that are no object"));
        }
        calls.extend(call.get("tool_call_id").and_then(Value::as_str).map(str::to_owned));
    }
    for result in list(members.get("observation").and_then(|observation| observation.get("results"))) {
        let result = object(result, &what, &RESULT, faults);
        texts(&result, &["source_call_id", "content"], &what, faults);
        let answered = result.get("source_call_id").and_then(Value::as_str);
        if answered.is_some_and(|id| !calls.contains(id)) {
            faults.push(format!("a result of {what} answers no call of it: {answered:?}"));
        }
    }
    if let Some(metrics) = members.get("metrics") {
        let metrics = object(metrics, &what, &METRICS, faults);
        numbers(&metrics, &what, faults);
    }
}

fn object(value: &Value, what: &str, Members(must, may): &Members, faults: &mut Vec<String>) -> Map<String, Value> {
    let Some(members) = value.as_object() else {
        faults.push(format!("{what} is no object"));
        return Map::new();
    };
    let known = |name: &str| name == "extra" || must.contains(&name) || may.contains(&name);
    faults.extend(members.keys().filter(|name| !known(name)).map(|name| format!("{what} has `{name}`")));
    faults.extend(must.iter().filter(|name| !members.contains_key(**name)).map(|name| format!("{what} lacks `{name}`")));
    if members.get("extra").is_some_and(|extra| !extra.is_object()) {
        faults.push(format!("`extra` of {what} is no object"));
    }
    faults.extend(members.iter().filter(|(_, value)| value.is_null()).map(|(name, _)| format!("`{name}` of {what} is null")));
    members.clone()
}

fn texts(members: &Map<String, Value>, names: &[&str], what: &str, faults: &mut Vec<String>) {
    let is_text = |name: &&&str| members.get(**name).is_none_or(Value::is_string);
    faults.extend(names.iter().filter(|name| !is_text(name)).map(|name| format!("`{name}` of {what} is no text")));
}

fn numbers(members: &Map<String, Value>, what: &str, faults: &mut Vec<String>) {
    let figures = members.iter().filter(|(name, _)| *name != "extra");
    faults.extend(figures.filter(|(_, value)| !value.is_u64()).map(|(name, _)| format!("`{name}` of {what} is no whole number")));
}

fn list(value: Option<&Value>) -> Vec<&Value> {
    value.and_then(Value::as_array).into_iter().flatten().collect()
}

/// `2026-09-21T14:13:20.007Z`
fn is_time(text: &str) -> bool {
    text.len() == 24
        && text.chars().zip("0000-00-00T00:00:00.000Z".chars()).all(|(is, form)| if form == '0' { is.is_ascii_digit() } else { is == form })
}

#[test]
fn each_rule_is_seen_to_be_broken() {
    let whole: Value = serde_json::from_str(include_str!("trajectory.json")).unwrap();
    assert_eq!(broken(&whole), [""; 0]);
    let breaking: [(&str, Value, &str); 10] = [
        ("/schema_version", "ATIF-v0".into(), "the version is another one"),
        ("/agent/name", 1.into(), "`name` of the agent is no text"),
        ("/steps", Value::Array(Vec::new()), "there is no step"),
        ("/steps/1/step_id", 1.into(), "step 2 has another number"),
        ("/steps/1/source", "tool".into(), "step 2 comes from nobody"),
        ("/steps/2/source", "user".into(), "step 3 has `model_name`"),
        ("/steps/1/timestamp", "today".into(), "step 2 has no time"),
        ("/steps/2/tool_calls/0/arguments", "ls".into(), "arguments that are no object"),
        ("/steps/2/tool_calls/0/tool_call_id", "other".into(), "a result of step 3 answers no call of it"),
        ("/final_metrics/total_steps", 1.5.into(), "`total_steps` of the sums is no whole number"),
    ];
    for (place, value, fault) in breaking {
        let mut trajectory = whole.clone();
        *trajectory.pointer_mut(place).unwrap_or_else(|| panic!("{place} is there")) = value;
        let faults = broken(&trajectory);
        assert!(faults.iter().any(|told| told.contains(fault)), "{place}: {faults:?}");
    }
    let mut trajectory = whole.clone();
    trajectory["steps"][0]["color"] = "red".into();
    assert_eq!(broken(&trajectory), ["step 1 has `color`"]);
}

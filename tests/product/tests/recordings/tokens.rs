//! Tokens in place of what differs from run to run: the folder, the address of the model server, the session's id, other ids, times, pauses that are partly random; and
//! in place of the system prompt and the tools where they are those that one recording holds whole, so that a change of their words is one
//! change.

use dsh_product_tests::Log;
use serde_json::Value;

/// System prompt and tools as a model is told of them, paths as tokens.
pub struct Prompt {
    pub system: Value,
    pub tools: Value,
}

impl Prompt {
    /// Those of the first request in a log.
    pub fn of(log: &Log, cwd: &str) -> Self {
        let header = log.events.iter().find(|event| event["type"] == "request/header").expect("a model is asked");
        let moved =
            |value: &Value| serde_json::from_str(&value.to_string().replace(cwd, "{{cwd}}")).expect("a path needs no escape in JSON");
        Self { system: moved(&header["data"]["header"]["system"]), tools: moved(&header["data"]["header"]["tools"]) }
    }
}

/// Makes values of one run comparable with those of another. An id keeps its number wherever it occurs.
pub struct Tokens<'a> {
    cwd: String,
    session: String,
    ids: Vec<String>,
    /// What tokens stand for; anything else is left as it is.
    prompt: Option<&'a Prompt>,
}

impl<'a> Tokens<'a> {
    pub fn new(cwd: &str, session: &str, prompt: &'a Prompt) -> Self {
        Self { cwd: cwd.to_owned(), session: session.to_owned(), ids: Vec::new(), prompt: Some(prompt) }
    }

    /// From here on system prompt and tools stay.
    pub fn keep_prompt(&mut self) {
        self.prompt = None;
    }

    /// The value with tokens.
    pub fn replace(&mut self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.text(text).into(),
            Value::Array(items) => items.iter().map(|item| self.replace(item)).collect(),
            Value::Object(members) => members.iter().map(|(key, value)| (key.clone(), self.member(key, value))).collect(),
            other => other.clone(),
        }
    }

    fn member(&mut self, key: &str, value: &Value) -> Value {
        match (key, value) {
            ("time" | "createdAt" | "delayMs", Value::Number(_)) => 0.into(),
            ("sessionId", Value::String(id)) if *id == self.session => "{{sessionId}}".into(),
            // Of the header of a log: they change with every composition and every type of event.
            ("composition", Value::String(_)) => "{{composition}}".into(),
            ("vocabulary", Value::Object(_)) => "{{vocabulary}}".into(),
            (key, value) => {
                let replaced = self.replace(value);
                match (key, self.prompt) {
                    ("system", Some(prompt)) if replaced == prompt.system => "{{system}}".into(),
                    ("tools", Some(prompt)) if replaced == prompt.tools => "{{tools}}".into(),
                    _ => replaced,
                }
            }
        }
    }

    fn text(&mut self, text: &str) -> String {
        let text = without_port(&text.replace(&self.cwd, "{{cwd}}"));
        let mut out = String::new();
        let mut rest = text.as_str();
        while let Some(at) = (0..rest.len()).find(|at| rest.get(*at..at + 36).is_some_and(is_uuid)) {
            out.push_str(&rest[..at]);
            out.push_str(&self.id(&rest[at..at + 36]));
            rest = &rest[at + 36..];
        }
        out + rest
    }

    fn id(&mut self, id: &str) -> String {
        let known = self.ids.iter().position(|known| known == id);
        let number = known.unwrap_or_else(|| {
            self.ids.push(id.to_owned());
            self.ids.len() - 1
        });
        format!("{{{{id:{}}}}}", number + 1)
    }
}

/// The text with a token for the address of the model server, which listens on another port each time.
fn without_port(text: &str) -> String {
    const ADDRESS: &str = "http://127.0.0.1:";
    let mut pieces = text.split(ADDRESS);
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        out += "{{server}}";
        out += piece.trim_start_matches(|digit: char| digit.is_ascii_digit());
    }
    out
}

/// 8-4-4-4-12 hex digits.
fn is_uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12]) && groups.concat().bytes().all(|byte| byte.is_ascii_hexdigit())
}

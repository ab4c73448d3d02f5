//! The script's file.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// Why a script cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// The file cannot be read.
    #[error("cannot read the script {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is no script.
    #[error("{}{}", path.display(), place_and_words(source))]
    Parse {
        /// The file.
        path: PathBuf,
        /// What and where.
        source: serde_yaml::Error,
    },
}

/// The place in front, as compilers put it; the parser's own words end with it.
fn place_and_words(error: &serde_yaml::Error) -> String {
    let words = error.to_string();
    let Some(at) = error.location() else { return format!(": {words}") };
    let (line, column) = (at.line(), at.column());
    let own = format!(" at line {line} column {column}");
    format!(":{line}:{column}: {}", words.strip_suffix(&own).unwrap_or(&words))
}

/// Replies in the order in which a turn takes them.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Script {
    #[serde(deserialize_with = "at_least_one")]
    pub(crate) steps: Vec<Step>,
    /// Whether the first step follows the last.
    #[serde(default, rename = "loop")]
    pub(crate) repeats: bool,
}

/// One reply.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    /// What the last user message or tool result must contain.
    pub(crate) expect: Option<String>,
    pub(crate) delay_ms: u64,
    pub(crate) reasoning: Option<String>,
    pub(crate) text: Option<String>,
    pub(crate) tools: Vec<ToolCall>,
    pub(crate) ending: Ending,
}

/// How a reply ends.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ending {
    Finish(Finish),
    Fail(Failure),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Finish {
    Stop,
    ToolCalls,
    MaxTokens,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Failure {
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) status: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ToolCall {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) arguments: Arguments,
}

/// A tool call's arguments.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged, expecting = "arguments are a mapping, or a string that is sent as it is")]
pub(crate) enum Arguments {
    Object(Map<String, Value>),
    /// Text as it is, which need not be JSON.
    Text(String),
}

impl Default for Arguments {
    fn default() -> Self {
        Self::Object(Map::new())
    }
}

/// A step as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct StepFields {
    expect: Option<String>,
    #[serde(default)]
    delay_ms: u64,
    reasoning: Option<String>,
    text: Option<String>,
    #[serde(default)]
    tools: Vec<ToolCall>,
    finish: Option<Finish>,
    fail: Option<Failure>,
}

impl StepFields {
    fn check(self) -> Result<Step, &'static str> {
        let Self { expect, delay_ms, reasoning, text, tools, finish, fail } = self;
        let says = reasoning.is_some() || text.is_some() || !tools.is_empty();
        let ending = match (finish, fail) {
            (Some(_), Some(_)) => return Err("the step has both `finish` and `fail`"),
            (None, Some(failure)) => Ending::Fail(failure),
            (finish, None) if says => Ending::Finish(finish.unwrap_or(if tools.is_empty() { Finish::Stop } else { Finish::ToolCalls })),
            (_, None) => return Err("the step neither says anything (`text`, `reasoning`, `tools`) nor fails (`fail`)"),
        };
        Ok(Step { expect, delay_ms, reasoning, text, tools, ending })
    }
}

impl<'de> Deserialize<'de> for Step {
    /// Checks the fields while the parser is inside the step, so that the error has the step's place.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Step;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a step")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Step, A::Error> {
                let fields = StepFields::deserialize(MapAccessDeserializer::new(map))?;
                fields.check().map_err(A::Error::custom)
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

fn at_least_one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Step>, D::Error> {
    let steps: Vec<Step> = Vec::deserialize(deserializer)?;
    if steps.is_empty() { Err(D::Error::custom("a script has at least one step")) } else { Ok(steps) }
}

impl Script {
    pub(crate) async fn load(path: &Path) -> Result<Self, ScriptError> {
        let text = tokio::fs::read_to_string(path).await;
        let text = text.map_err(|source| ScriptError::Read { path: path.to_owned(), source })?;
        serde_yaml::from_str(&text).map_err(|source| ScriptError::Parse { path: path.to_owned(), source })
    }

    /// The step for the reply `number` of a turn, from 0; `None` when the script is over.
    pub(crate) fn step(&self, number: usize) -> Option<&Step> {
        self.steps.get(if self.repeats { number % self.steps.len() } else { number })
    }
}

//! The first line of a log.

use dsh_json::{Json, JsonError, to_text};
use dsh_message::SessionId;
use dsh_runtime::Timestamp;
use dsh_session::{Origin, SessionHeader};
use dsh_session_persistence::FORMAT_VERSION;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};

use crate::refusal::Refusal;
use crate::vocabulary::Words;

const TYPE: &str = "session";
const SUBAGENT: &str = "subagent";

/// What wrote a log, for those who read it later. Readers of the format pass over both members.
#[derive(Clone, Debug, Default)]
pub(crate) struct Writer {
    /// Digest of the composition; none where no binary is.
    pub(crate) composition: Option<String>,
    /// The types of events that it may write, likewise.
    pub(crate) vocabulary: Option<Words>,
}

/// The line without its end, members in the order of the format.
pub(crate) fn write(header: &SessionHeader, writer: &Writer) -> Result<String, JsonError> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Line<'a> {
        r#type: &'static str,
        version: i64,
        id: &'a SessionId,
        created_at: Timestamp,
        #[serde(skip_serializing_if = "Option::is_none")]
        cwd: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        parent_session: Option<&'a SessionId>,
        #[serde(skip_serializing_if = "Option::is_none")]
        seed_length: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        origin: Option<&'static str>,
        delegation_depth: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        agent_preset: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        composition: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        vocabulary: Option<&'a Words>,
    }
    to_text(&Line {
        r#type: TYPE,
        version: FORMAT_VERSION,
        id: &header.id,
        created_at: header.created_at,
        cwd: header.cwd.as_deref(),
        parent_session: header.parent_session.as_ref(),
        seed_length: header.seed_length,
        origin: header.origin.map(|Origin::Subagent| SUBAGENT),
        delegation_depth: header.delegation_depth,
        agent_preset: header.agent_preset.as_deref(),
        composition: writer.composition.as_deref(),
        vocabulary: writer.vocabulary.as_ref(),
    })
}

/// The vocabulary that the line names; none where it names none that can be read.
pub(crate) fn vocabulary(line: &[u8]) -> Option<Words> {
    #[derive(Deserialize)]
    struct Line {
        vocabulary: Words,
    }
    serde_json::from_slice::<Line>(line).ok().map(|line| line.vocabulary)
}

/// Reads the line for loading: the version counts before anything else, since another one may have any form.
pub(crate) fn read(line: &[u8]) -> Result<SessionHeader, Refusal> {
    #[derive(Deserialize)]
    struct Versioned {
        version: Json,
    }
    let versioned: Versioned = serde_json::from_slice(line).map_err(|error| Refusal::Corrupt(format!("the header line: {error}")))?;
    match versioned.version {
        Json::Number(0.0) => read_any_version(line),
        Json::Number(found) if found > 0.0 => Err(Refusal::Unsupported(format!(
            "it was written by a newer version, format {found}; this version reads format {FORMAT_VERSION}"
        ))),
        Json::Number(found) => {
            Err(Refusal::Unsupported(format!("its format {found} is too old to be upgraded; this version reads format {FORMAT_VERSION}")))
        }
        _ => Err(Refusal::Corrupt("the header line: `version` is no number".to_owned())),
    }
}

/// Reads the line for a list, where the version does not matter as long as the line has today's form.
pub(crate) fn read_any_version(line: &[u8]) -> Result<SessionHeader, Refusal> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Line {
        r#type: String,
        id: SessionId,
        created_at: u64,
        cwd: Option<String>,
        parent_session: Option<SessionId>,
        seed_length: Option<u64>,
        origin: Option<String>,
        delegation_depth: u64,
        agent_preset: Option<String>,
        #[serde(default, deserialize_with = "present")]
        sandbox_mode: bool,
        #[serde(default, deserialize_with = "present")]
        approval_policy: bool,
    }
    let corrupt = |reason: &str| Refusal::Corrupt(format!("the header line: {reason}"));
    let line: Line = serde_json::from_slice(line).map_err(|error| corrupt(&error.to_string()))?;
    if line.r#type != TYPE {
        return Err(corrupt("its `type` is not `session`"));
    }
    if line.sandbox_mode || line.approval_policy {
        return Err(corrupt("it has a retired member, `sandboxMode` or `approvalPolicy`"));
    }
    if line.cwd.as_deref().is_some_and(|cwd| !std::path::Path::new(cwd).is_absolute()) {
        return Err(corrupt("`cwd` is not absolute"));
    }
    let origin = match line.origin.as_deref() {
        None => None,
        Some(SUBAGENT) => Some(Origin::Subagent),
        Some(_) => return Err(corrupt("`origin` is none that is known")),
    };
    Ok(SessionHeader {
        id: line.id,
        created_at: Timestamp(i64::try_from(line.created_at).map_err(|_| corrupt("`createdAt` is out of range"))?),
        cwd: line.cwd,
        parent_session: line.parent_session,
        seed_length: line.seed_length,
        origin,
        delegation_depth: line.delegation_depth,
        agent_preset: line.agent_preset,
    })
}

/// A member that is there, whatever it holds.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(deserializer).map(|_| true)
}

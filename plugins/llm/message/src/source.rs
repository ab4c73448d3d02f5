//! Where a message came from.

use dsh_json::{JsString, Json};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::tagged::{KindMember, member, object};
use crate::{CallId, ReplayState};

/// The origin of a message (`kind` names the variant in the log).
#[derive(Clone, Debug, PartialEq)]
pub enum MessageSource {
    /// `user`: a person.
    User,
    /// `model`: a model's reply.
    Model {
        /// Route that served it.
        provider: String,
        /// Model id.
        model: String,
        /// What the adapter needs to replay the reply to the same provider.
        replay_state: Option<ReplayState>,
    },
    /// `tool`: a tool's result.
    Tool {
        /// The call that it answers.
        call_id: CallId,
    },
    /// `plugin`: context that a plugin adds.
    Plugin(PluginSource),
    /// Any other kind, kept as it came.
    Other(Json),
}

/// Context added by a plugin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PluginSource {
    /// Name of the producer as the log knows it.
    pub plugin: String,
    /// `instructions`, `catalog`, `relay`, `recall`, `snapshot`, `notice`, or absent for opaque context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<String>,
    /// With the form `snapshot`: its parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sections: Option<Vec<SnapshotSection>>,
    /// With the form `notice`: at most 120 UTF-16 units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<JsString>,
}

/// A part of a snapshot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SnapshotSection {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: JsString,
}

impl Serialize for MessageSource {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = match self {
            Self::Other(json) => return json.serialize(serializer),
            _ => serializer.serialize_map(None)?,
        };
        match self {
            Self::User => out.serialize_entry("kind", "user")?,
            Self::Model { provider, model, replay_state } => {
                out.serialize_entry("kind", "model")?;
                out.serialize_entry("provider", provider)?;
                out.serialize_entry("model", model)?;
                if let Some(state) = replay_state {
                    out.serialize_entry("replayState", state)?;
                }
            }
            Self::Tool { call_id } => {
                out.serialize_entry("kind", "tool")?;
                out.serialize_entry("callId", call_id)?;
            }
            Self::Plugin(source) => {
                out.serialize_entry("kind", "plugin")?;
                out.serialize_entry("plugin", &source.plugin)?;
                if let Some(form) = &source.form {
                    out.serialize_entry("form", form)?;
                }
                if let Some(sections) = &source.sections {
                    out.serialize_entry("sections", sections)?;
                }
                if let Some(summary) = &source.summary {
                    out.serialize_entry("summary", summary)?;
                }
            }
            Self::Other(_) => {}
        }
        out.end()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Model {
    provider: String,
    model: String,
    replay_state: Option<ReplayState>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tool {
    call_id: CallId,
}

impl<'de> Deserialize<'de> for MessageSource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = object(deserializer)?;
        let kind = member::<KindMember, D::Error>(&raw)?.kind;
        if kind.is_empty() {
            return Err(serde::de::Error::custom("a message source has an empty `kind`"));
        }
        let whole: Json = member::<_, D::Error>(&raw)?;
        Ok(match kind.as_str() {
            // A user source may carry more members (a web prompt's rpc id); then it is kept whole.
            "user" if matches!(&whole, Json::Object(entries) if entries.len() == 1) => Self::User,
            "model" => {
                let Model { provider, model, replay_state } = member::<_, D::Error>(&raw)?;
                Self::Model { provider, model, replay_state }
            }
            "tool" => Self::Tool { call_id: member::<Tool, D::Error>(&raw)?.call_id },
            "plugin" if plain_plugin(&whole) => Self::Plugin(member::<_, D::Error>(&raw)?),
            _ => Self::Other(whole),
        })
    }
}

/// Whether every member of a plugin source is one that [`PluginSource`] holds.
fn plain_plugin(source: &Json) -> bool {
    const KNOWN: [&str; 5] = ["kind", "plugin", "form", "sections", "summary"];
    matches!(source, Json::Object(entries) if entries.iter().all(|(key, _)| KNOWN.contains(&key.as_str())))
}

impl MessageSource {
    /// The `kind` of the source.
    #[must_use]
    pub fn kind(&self) -> String {
        match self {
            Self::User => "user".to_owned(),
            Self::Model { .. } => "model".to_owned(),
            Self::Tool { .. } => "tool".to_owned(),
            Self::Plugin(_) => "plugin".to_owned(),
            Self::Other(json) => json.get("kind").and_then(Json::as_text).map(ToString::to_string).unwrap_or_default(),
        }
    }
}

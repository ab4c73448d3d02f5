//! What the plan says; the emit stage reads this and nothing else.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use dsh_declare::model::{FromConfig, Mode, Position, Text};
use serde::Serialize;

use crate::check::{CheckedGroup, Disabled, Documents, Exclusive, StructValue, Value};
use crate::index::{ItemId, PackageSource};

/// The wiring of a composition.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Profile name.
    pub profile: String,
    /// Other names that the binary accepts.
    pub aliases: Vec<String>,
    /// Composition digest: 16 hex digits over rows, configs and plugin digests.
    pub digest: String,
    /// Digest of what is around the rows.
    pub frame_digest: u64,
    /// Digest of each row, by id.
    pub row_digests: BTreeMap<String, u64>,
    /// Whether the binary takes no overlay when it starts.
    pub is_sealed: bool,
    /// What it reads of its surroundings when it starts.
    pub surroundings: Surroundings,
    /// The composition's rows in mount order.
    pub rows: Vec<PlannedRow>,
    /// Presets in order.
    pub presets: Vec<PlannedPreset>,
    /// Groups of all rows; one comes after those around it.
    pub groups: Vec<CheckedGroup>,
    /// What only one of several rows may have at a time.
    pub exclusives: Vec<Exclusive>,
    /// The plugins of all rows, by name.
    pub plugins: BTreeMap<String, PlannedPlugin>,
    /// Events that a row dispatches or hears, by identity.
    pub topics: Vec<PlannedTopic>,
    /// The composition's rows with tools, in row order.
    pub contributions: Vec<Contribution>,
    /// Rows that describe what they add to the prompt, in row order.
    pub prompts: Vec<String>,
    /// The rows that serve a protocol; where there are several, conditions decide.
    pub serve: Vec<String>,
    /// Rows with verbs, in row order.
    pub verbs: Vec<VerbEntry>,
    /// Packages that the wiring names, by package name.
    pub crates: BTreeMap<String, Crate>,
    /// How people call the services of the composition: id and key.
    pub service_keys: BTreeMap<String, String>,
    /// The rows as documents.
    pub documents: Documents,
    /// Hosts that rows may contact, in row order.
    pub hosts: Vec<PlannedHost>,
    /// The session events of all packages that the binary is linked from.
    pub vocabulary: PlannedVocabulary,
}

impl Plan {
    /// Every row, those of presets after the composition's.
    pub fn all_rows(&self) -> impl Iterator<Item = &PlannedRow> {
        self.rows.iter().chain(self.presets.iter().flat_map(|preset| &preset.rows))
    }

    /// All rows with tools.
    pub fn all_contributions(&self) -> impl Iterator<Item = &Contribution> {
        self.contributions.iter().chain(self.presets.iter().flat_map(|preset| &preset.contributions))
    }

    /// The groups around a row, outermost first.
    pub fn groups_around<'p>(&'p self, row: &'p PlannedRow) -> impl Iterator<Item = &'p CheckedGroup> {
        row.groups.iter().filter_map(|id| self.groups.iter().find(|group| group.id == *id))
    }

    /// The conditions under which a row is off, outermost group first: each with the group that gives it, none where the row does.
    #[must_use]
    pub fn off_when(&self, row: &PlannedRow) -> Vec<OffWhen> {
        let of_group = |group: &CheckedGroup| {
            let condition = group.disabled.as_ref()?.text.clone();
            Some(OffWhen { condition, group: Some(group.id.clone()) })
        };
        let own = row.disabled.as_ref().map(|disabled| OffWhen { condition: disabled.text.clone(), group: None });
        self.groups_around(row).filter_map(of_group).chain(own).collect()
    }
}

/// What a binary reads of its surroundings for its composition, beside overlays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Surroundings {
    /// Variables that it does not read, since their values were given: an empty one stands for a variable that is not set.
    pub set: BTreeMap<String, String>,
    /// What expressions read when it starts, sorted.
    pub expressions: Vec<Read>,
    /// Where secrets are looked for when they are used, sorted.
    pub secrets: Vec<Read>,
}

/// Something that a row reads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Read {
    /// `env.NAME`, `env` for any variable, `cwd` and the like; of a secret the variable.
    pub name: String,
    /// Id of the row or group.
    pub row: String,
    /// Path of the field in its config, or `disabled`.
    pub field: String,
}

/// A condition under which a row is off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OffWhen {
    /// The expression.
    pub condition: String,
    /// The group that gives it; none where the row does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

impl Display for OffWhen {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let group = self.group.as_ref().map(|group| format!(", of group {group}")).unwrap_or_default();
        write!(out, "off when `{}`{group}", self.condition)
    }
}

/// A sub-composition that agents may select.
#[derive(Clone, Debug)]
pub struct PlannedPreset {
    /// Its name.
    pub name: String,
    /// Its rows in mount order.
    pub rows: Vec<PlannedRow>,
    /// Its rows with tools, in row order.
    pub contributions: Vec<Contribution>,
}

/// A row in mount order.
#[derive(Clone, Debug)]
pub struct PlannedRow {
    /// Row id; that of a row of a preset starts with the preset's name.
    pub id: String,
    /// Place among all rows, those of presets after the composition's; listeners are ordered by it.
    pub place: usize,
    /// Plugin name.
    pub plugin: String,
    /// File that inserted the row.
    pub file: String,
    /// File that gave its config.
    pub config_file: String,
    /// Its config, every field present.
    pub config: Option<StructValue>,
    /// Fields of its inject struct, in declaration order.
    pub injects: Vec<Injected>,
    /// Its own condition.
    pub disabled: Option<Disabled>,
    /// Ids of the groups around it, outermost first.
    pub groups: Vec<String>,
    /// Whether it may be off in a finished binary.
    pub may_be_off: bool,
}

/// A field of an inject struct with what goes into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Injected {
    /// Rust name.
    pub field: String,
    /// Its value.
    pub supply: Supply,
}

/// What an inject field is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Supply {
    /// A service of another row.
    Service {
        /// The service.
        service: ItemId,
        /// The rows that may provide it; the first of them that mounts does.
        rows: Vec<String>,
        /// Whether the field is an `Option`.
        optional: bool,
        /// Whether the service is a trait, so that a plugin is handed on as `dyn`.
        is_trait: bool,
    },
    /// An optional service that nobody provides.
    Absent(ItemId),
    /// A handle to dispatch an event.
    Dispatcher(ItemId),
}

/// What the reader found out about a plugin; rustc confirms it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedPlugin {
    /// The plugin's type.
    pub item: ItemId,
    /// Its config type.
    pub config: Option<ItemId>,
    /// Its inject type.
    pub inject: Option<ItemId>,
    /// Its digest.
    pub digest: u64,
    /// Ids of provided services, in the order of the attribute.
    pub provides: Vec<String>,
    /// Ids of heard events, in source order.
    pub listens: Vec<String>,
    /// Ids of injected services in field order; an optional one starts with `?`.
    pub services: Vec<String>,
    /// Ids of dispatched events in field order.
    pub dispatches: Vec<String>,
}

/// An event of the composition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedTopic {
    /// Its type.
    pub event: ItemId,
    /// Its own name, such as `tools/pre-execute`.
    pub name: String,
    /// How it is dispatched.
    pub mode: Mode,
    /// Rows that dispatch it, in row order.
    pub dispatchers: Vec<String>,
    /// Its listeners in the order in which they run.
    pub listeners: Vec<Heard>,
}

/// A listener.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// Row id.
    pub row: String,
    /// Place of the row in the composition.
    pub place: usize,
    /// Position that the listener asks for.
    pub position: Position,
}

/// The tools of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// The row that has them.
    pub row: String,
    /// The rows that may be told of them; the first that mounts is.
    pub registries: Vec<String>,
    /// Names of the tools, in source order.
    pub tools: Vec<String>,
}

/// The verbs of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerbEntry {
    /// The row.
    pub row: String,
    /// Word and one-line help of each.
    pub words: Vec<(String, String)>,
}

/// A host that a row may contact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedHost {
    /// The row.
    pub row: String,
    /// The host or its address; `{field}` stands for a config field whose value is known only at a start.
    pub host: String,
    /// For what.
    pub meaning: String,
}

/// The session events that the binary may write and knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedVocabulary {
    /// Digest over all of them.
    pub digest: String,
    /// Each type with a digest of its form, by type.
    pub words: Vec<(String, String)>,
}

/// A package that the wiring names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crate {
    /// Name of its library in Rust code.
    pub lib: String,
    /// Where the generated crate finds it.
    pub source: PackageSource,
}

/// A tool's name under a row's config. The check has made sure that it is known.
pub(super) fn tool_name(name: &FromConfig<Text>, config: Option<&StructValue>) -> String {
    match name {
        FromConfig::Literal(text) => text.value.clone(),
        FromConfig::Field(field) => {
            let value = config.and_then(|config| config.fields.iter().find(|(name, _)| field == name));
            match value {
                Some((_, Value::Text(text))) => text.clone(),
                _ => panic!("the tool name `config.{field}` is not a string in the checked config"),
            }
        }
    }
}

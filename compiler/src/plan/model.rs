//! What the plan says; the emit stage reads this and nothing else.

use std::collections::BTreeMap;

use dsh_declare::model::{FromConfig, Mode, Position, Text};

use crate::check::{Documents, StructValue, Value};
use crate::index::ItemId;

/// The wiring of a composition.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Profile name.
    pub profile: String,
    /// Other names that the binary accepts.
    pub aliases: Vec<String>,
    /// Composition digest: 16 hex digits over rows, configs and plugin digests.
    pub digest: String,
    /// Rows in mount order.
    pub rows: Vec<PlannedRow>,
    /// The plugins of the rows, by name.
    pub plugins: BTreeMap<String, PlannedPlugin>,
    /// Events that a row dispatches or hears, by identity.
    pub topics: Vec<PlannedTopic>,
    /// Rows with tools, in row order.
    pub contributions: Vec<Contribution>,
    /// Rows that describe what they add to the prompt, in row order.
    pub prompts: Vec<String>,
    /// The row that serves a protocol.
    pub serve: Option<String>,
    /// Rows with verbs, in row order.
    pub verbs: Vec<VerbEntry>,
    /// Packages that the wiring names, by package name.
    pub crates: BTreeMap<String, Crate>,
    /// How people call the services of the composition: id and key.
    pub service_keys: BTreeMap<String, String>,
    /// The rows as documents.
    pub documents: Documents,
}

/// A row in mount order.
#[derive(Clone, Debug)]
pub struct PlannedRow {
    /// Row id.
    pub id: String,
    /// Place in the composition; listeners are ordered by it.
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
        /// The providing row.
        row: String,
        /// Whether the field is an `Option`.
        optional: bool,
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
    /// The row that is told of them.
    pub registry: String,
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

/// A package that the wiring names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crate {
    /// Name of its library in Rust code.
    pub lib: String,
    /// Its folder in the workspace; `None` when it lies outside.
    pub folder: Option<String>,
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

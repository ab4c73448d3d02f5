//! What a binary can tell of itself without mounting anything. The generated crate fills it in.

mod prompt;
mod surroundings;

pub use prompt::{DescribesPrompt, PromptDescription, PromptKind, PromptPart, prompt_of};
pub use surroundings::{ReadDescription, SurroundingsDescription};

use serde::Serialize;

use crate::boot::Graph;
use crate::eval::Evaluator;
use crate::plugin::Plugin;

/// What a binary is made of.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// Its rows as a patch list that loads again, after a line that says who wrote it.
    pub composed: &'static str,
    /// What the profile's bundles alone give, likewise.
    pub bundles: &'static str,
    /// Digest of what is around the rows.
    pub frame: u64,
    /// What it reads of its surroundings.
    pub surroundings: SurroundingsDescription,
    /// What the rows require of each other; none where no row may be off.
    pub graph: Option<&'static Graph>,
    /// Every row of the composition, in order, those of presets after the others.
    pub rows: &'static [RowDescription],
    /// Its services, by key.
    pub services: &'static [ServiceDescription],
    /// Its events, by identity.
    pub events: &'static [EventDescription],
    /// Its tools under the configs of their rows.
    pub tools: Describe<ToolDescription>,
    /// What rows add to the prompt under their configs.
    pub prompt: Describe<PromptDescription>,
    /// Hosts that its rows may contact.
    pub hosts: &'static [HostDescription],
    /// The crates that it is linked from, one a line after a line that says who wrote it: name, version, licence, origin and the numbers of
    /// the lines with what it needs, between tabs.
    pub components: &'static str,
    /// The notices of their licences, likewise.
    pub notices: &'static str,
    /// Name of the cargo profile; none where something else than the compiler had cargo build it.
    pub cargo_profile: Option<&'static str>,
}

/// Describes what rows contribute under their configs; the function says which rows are on.
pub type Describe<T> = fn(&mut Evaluator, &dyn Fn(&str) -> bool) -> Vec<T>;

/// A row.
#[derive(Clone, Copy, Debug)]
pub struct RowDescription {
    /// Its id; that of a row of a preset starts with the preset's name.
    pub id: &'static str,
    /// Name of its plugin; a group has none.
    pub plugin: Option<&'static str>,
    /// What the binary carries of it: a row that was switched off when it was built is not carried.
    pub carried: Option<Carried>,
    /// The file that inserted it.
    pub inserted: &'static str,
    /// Other files that gave it other values.
    pub patched: &'static [&'static str],
}

/// A row that is part of the binary.
#[derive(Clone, Copy, Debug)]
pub struct Carried {
    /// Its plugin.
    pub plugin: PluginDescription,
    /// Digest of the row.
    pub digest: u64,
    /// The groups around it, outermost first.
    pub groups: &'static [&'static str],
    /// The condition under which it is off.
    pub off_when: Option<&'static str>,
}

/// A plugin that is part of the binary.
#[derive(Clone, Copy, Debug)]
pub struct PluginDescription {
    /// Its name.
    pub name: &'static str,
    /// Version of its package.
    pub version: &'static str,
    /// Digest of its declaration.
    pub digest: u64,
    /// Digest of the sources of its package.
    pub source: u64,
    /// Its config type, where it takes a config.
    #[cfg(feature = "overlays")]
    pub config: Option<ConfigDescription>,
}

/// A config type.
#[cfg(feature = "overlays")]
#[derive(Clone, Copy, Debug)]
pub struct ConfigDescription {
    /// Its identity.
    pub item: fn() -> dsh_language::schema::ItemId,
    /// Adds the type and those in it.
    pub add_to: fn(&mut dsh_language::schema::Schemas),
}

impl PluginDescription {
    /// A plugin without a config.
    #[must_use]
    pub const fn plain<P: Plugin>() -> Self {
        Self {
            name: P::NAME,
            version: P::VERSION,
            digest: P::DIGEST,
            source: P::SOURCE_DIGEST,
            #[cfg(feature = "overlays")]
            config: None,
        }
    }

    /// A plugin with a config.
    #[cfg(feature = "overlays")]
    #[must_use]
    pub const fn configured<P: Plugin>() -> Self
    where
        P::Config: crate::config::Documented,
    {
        let config = ConfigDescription { item: item_of::<P::Config>, add_to: <P::Config as crate::config::Documented>::add_to };
        Self { config: Some(config), ..Self::plain::<P>() }
    }

    /// A plugin with a config, which nothing can replace.
    #[cfg(not(feature = "overlays"))]
    #[must_use]
    pub const fn configured<P: Plugin>() -> Self {
        Self::plain::<P>()
    }
}

#[cfg(feature = "overlays")]
fn item_of<C: crate::config::Documented>() -> dsh_language::schema::ItemId {
    C::SCHEMA.id()
}

/// A service.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ServiceDescription {
    /// Its key.
    pub key: &'static str,
    /// Its type, as `package::Type`.
    pub id: &'static str,
    /// The rows that may provide it; none where rows only would take it.
    pub providers: &'static [&'static str],
    /// Rows that take it, in mount order.
    pub consumers: &'static [&'static str],
}

/// An event.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct EventDescription {
    /// Its name.
    pub name: &'static str,
    /// Its type, as `package::Type`.
    pub id: &'static str,
    /// `emit`, `parallel`, `serial` or `waterfall`.
    pub mode: &'static str,
    /// Rows that dispatch it, in row order.
    pub dispatchers: &'static [&'static str],
    /// Rows that hear it, in the order in which they run.
    pub listeners: &'static [&'static str],
}

/// A host that a row may contact.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct HostDescription {
    /// The row.
    pub row: &'static str,
    /// The host or its address; `{field}` stands for a config field whose value is known only at a start.
    pub host: &'static str,
    /// For what.
    pub meaning: &'static str,
}

/// A tool under its row's config.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolDescription {
    /// The row that has it.
    pub row: &'static str,
    /// Name that the model uses.
    pub name: String,
    /// What the model is told of it.
    pub description: String,
    /// JSON Schema of its arguments.
    pub parameters: serde_json::Value,
    /// How clients show its calls: `generic`, `terminal` or `diff`.
    pub render: &'static str,
    /// Whether its calls may overlap with others of the same reply.
    pub concurrent: bool,
    /// How long a call may take, in milliseconds; none where nothing limits it.
    pub timeout_ms: Option<u64>,
}

impl Description {
    /// Its rows as a patch list that loads again.
    #[must_use]
    pub fn composed(&self) -> &'static str {
        without_first_line(self.composed)
    }

    /// What the profile's bundles alone give, likewise.
    #[must_use]
    pub fn bundles(&self) -> &'static str {
        without_first_line(self.bundles)
    }

    /// The crates that it is linked from, one a line.
    pub(crate) fn components(&self) -> &'static str {
        without_first_line(self.components)
    }

    /// The notices of their licences.
    pub(crate) fn notices(&self) -> &'static str {
        without_first_line(self.notices)
    }

    /// Of a binary that tells nothing, as in a test.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            composed: "#\n\n[]\n",
            bundles: "#\n\n[]\n",
            frame: 0,
            surroundings: SurroundingsDescription { set: &[], expressions: &[], secrets: &[] },
            graph: None,
            rows: &[],
            services: &[],
            events: &[],
            tools: |_, _| Vec::new(),
            prompt: |_, _| Vec::new(),
            hosts: &[],
            components: "#\n\n",
            notices: "#\n\n",
            cargo_profile: None,
        }
    }
}

/// The generated file without the line that says who wrote it and the empty one after it.
fn without_first_line(document: &str) -> &str {
    document.split_once("\n\n").map_or(document, |(_, document)| document)
}

//! What the index stage yields: every declaration of the plugin crates, with names resolved.

use std::collections::{BTreeMap, BTreeSet};

use dsh_declare::model::{
    ConfigBody, ConfigDecl, EventDecl, FieldDecl, FromConfig, InjectDecl, PluginDecl, Position, ServiceDecl, SessionEventDecl, Text,
    ToolArgsDecl,
};

pub use dsh_language::schema::ItemId;

use super::source::PackageSource;
use crate::diagnostics::Place;

/// A package that may declare something.
#[derive(Clone, Debug)]
pub struct Package {
    /// Name of its library as Rust code writes it.
    pub lib: String,
    /// Where a generated crate finds it.
    pub source: PackageSource,
    /// The packages that may declare something and are linked with it, itself among them.
    pub reaches: BTreeSet<String>,
}

/// A declaration with its package and place.
#[derive(Clone, Debug)]
pub struct Declared<T> {
    /// Identity.
    pub id: ItemId,
    /// What it says.
    pub decl: T,
    /// Its name, where it stands.
    pub place: Place,
    /// Digest joined with those of what it names, by the rule of the macros.
    pub digest: u64,
}

/// A plugin with resolved names.
#[derive(Clone, Debug)]
pub struct PluginEntry {
    /// Name by which rows mount it: the package's name without `dsh-`.
    pub name: String,
    /// The declaration; `digest` is the plugin's constant.
    pub declared: Declared<PluginDecl>,
    /// Services that it provides, in the order of the attribute.
    pub provides: Vec<ItemId>,
    /// What it takes of services that only one row can have, in the order of the attribute.
    pub takes: Vec<Take>,
    /// Its config type.
    pub config: Option<ItemId>,
    /// Its inject type.
    pub inject: Option<ItemId>,
    /// Fields of the inject type, resolved.
    pub wants: Vec<Want>,
    /// Events that it hears, in source order.
    pub listens: Vec<Listen>,
    /// Argument types of its tools, in source order.
    pub tool_args: Vec<ItemId>,
}

/// What a plugin takes of a service that only one row can have, resolved.
#[derive(Clone, Debug)]
pub struct Take {
    /// The service.
    pub service: ItemId,
    /// What it takes.
    pub what: FromConfig<Text>,
}

/// A field of an inject struct, resolved.
#[derive(Clone, Debug)]
pub struct Want {
    /// The field's Rust name.
    pub field: String,
    /// What it asks for.
    pub kind: WantKind,
}

/// What an inject field asks for, resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WantKind {
    /// A service that must be there.
    Required(ItemId),
    /// A service taken when it is there.
    Optional(ItemId),
    /// A handle to dispatch an event.
    Dispatch(ItemId),
}

/// A listener, resolved.
#[derive(Clone, Debug)]
pub struct Listen {
    /// The event.
    pub event: ItemId,
    /// Place in the order.
    pub position: Position,
    /// No warning when nobody dispatches it.
    pub optional: bool,
}

/// Every declaration of the plugin crates.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// Packages that may declare something, by name.
    pub packages: BTreeMap<String, Package>,
    /// Names of all packages but generated ones.
    pub package_names: BTreeSet<String>,
    /// Plugins by the name that rows use.
    pub plugins: BTreeMap<String, PluginEntry>,
    /// Services.
    pub services: BTreeMap<ItemId, Declared<ServiceDecl>>,
    /// Events.
    pub events: BTreeMap<ItemId, Declared<EventDecl>>,
    /// Config types.
    pub configs: BTreeMap<ItemId, Declared<ConfigDecl>>,
    /// Inject types.
    pub injects: BTreeMap<ItemId, Declared<InjectDecl>>,
    /// Tool argument types.
    pub tool_args: BTreeMap<ItemId, Declared<ToolArgsDecl>>,
    /// Session events.
    pub session_events: BTreeMap<ItemId, Declared<SessionEventDecl>>,
}

impl Index {
    /// How diagnostics name a service: its key.
    #[must_use]
    pub fn service_key<'a>(&'a self, id: &'a ItemId) -> &'a str {
        self.services.get(id).map_or(id.name.as_str(), |service| service.decl.key.value.as_str())
    }

    /// The config type that a field of a config in `package` names: one of that package, by its own name.
    #[must_use]
    pub fn config(&self, package: &str, name: &syn::Path) -> Option<&Declared<ConfigDecl>> {
        let name = name.segments.last()?.ident.to_string();
        self.configs.get(&ItemId { package: package.to_owned(), name })
    }

    /// What such a type holds.
    #[must_use]
    pub fn config_body(&self, package: &str, name: &syn::Path) -> Option<&ConfigBody> {
        self.config(package, name).map(|declared| &declared.decl.body)
    }

    /// A field of a plugin's config by its Rust name.
    #[must_use]
    pub fn config_field(&self, plugin: &PluginEntry, field: &syn::Ident) -> Option<&FieldDecl> {
        match &self.configs.get(plugin.config.as_ref()?)?.decl.body {
            ConfigBody::Struct(fields) => fields.iter().find(|found| found.ident == *field),
            ConfigBody::Enum(_) => None,
        }
    }
}

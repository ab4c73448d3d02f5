//! What can be composed: profiles, bundles and plugins.

use std::fmt::{self, Display};
use std::sync::Arc;

use dsh_declare::model::{FromConfig, Text};
use serde::Serialize;

use super::table::write_table;
use crate::diagnostics::SourceFile;
use crate::index::{Index, PluginEntry};
use crate::load::{Entry, Loaded, Named};

/// Profiles that can be asked for by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Profiles(pub Vec<ProfileLine>);

/// A profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProfileLine {
    /// Its name.
    pub name: String,
    /// Its file; `None` when it cannot be read, which `check` explains.
    pub file: Option<String>,
    /// Other names that its binary accepts.
    pub aliases: Vec<String>,
    /// Its bundles in order.
    pub bundles: Vec<String>,
    /// The first line of the comment at the top of the file; empty when there is none.
    pub about: String,
}

/// Bundles that profiles can list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bundles(pub Vec<BundleLine>);

/// A bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BundleLine {
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: String,
    /// Number of rows that it inserts, those in groups not counted; `None` when it cannot be read.
    pub rows: Option<usize>,
    /// The first line of the comment at the top of the file; empty when there is none.
    pub about: String,
}

/// Plugins that rows can name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Plugins(pub Vec<PluginLine>);

/// A plugin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PluginLine {
    /// The name that rows use.
    pub name: String,
    /// Keys of the services that it provides.
    pub provides: Vec<String>,
    /// Tools that it has; one that is named by its config is `config.FIELD`.
    pub tools: Vec<String>,
    /// Verbs that it has.
    pub verbs: Vec<String>,
    /// Platforms that it is for; empty for all.
    pub platforms: Vec<String>,
    /// Where it is declared.
    pub at: String,
}

impl ProfileLine {
    /// Of what was read under a name.
    #[must_use]
    pub fn new(name: &str, loaded: Option<&Loaded>) -> Self {
        let texts = |names: &[Named]| names.iter().map(|name| name.text.clone()).collect();
        let Some(Loaded { profile, .. }) = loaded else {
            return Self { name: name.to_owned(), file: None, aliases: Vec::new(), bundles: Vec::new(), about: String::new() };
        };
        let file = &profile.name.place.file;
        Self {
            name: name.to_owned(),
            file: Some(file.name().to_owned()),
            aliases: texts(&profile.aliases),
            bundles: texts(&profile.bundles),
            about: about(file),
        }
    }
}

impl BundleLine {
    /// Of what was read from a file; `file` is how messages call it.
    #[must_use]
    pub fn new(name: &str, file: &str, read: Option<&(Arc<SourceFile>, Vec<Entry>)>) -> Self {
        let count =
            |entries: &[Entry]| entries.iter().map(|entry| if let Entry::Insert(insert) = entry { insert.rows.len() } else { 0 }).sum();
        Self {
            name: name.to_owned(),
            file: file.to_owned(),
            rows: read.map(|(_, entries)| count(entries)),
            about: read.map(|(file, _)| about(file)).unwrap_or_default(),
        }
    }
}

impl Plugins {
    /// All plugins of an index, by name.
    #[must_use]
    pub fn new(index: &Index) -> Self {
        Self(index.plugins.values().map(|plugin| PluginLine::new(plugin, index)).collect())
    }
}

impl PluginLine {
    fn new(plugin: &PluginEntry, index: &Index) -> Self {
        let decl = &plugin.declared.decl;
        let tool = |name: &FromConfig<Text>| match name {
            FromConfig::Literal(text) => text.value.clone(),
            FromConfig::Field(field) => format!("config.{field}"),
        };
        Self {
            name: plugin.name.clone(),
            provides: plugin.provides.iter().map(|service| index.service_key(service).to_owned()).collect(),
            tools: decl.tools.iter().map(|declared| tool(&declared.tool)).collect(),
            verbs: decl.verbs.iter().map(|verb| verb.verb.value.clone()).collect(),
            platforms: decl.platforms.iter().map(|platform| platform.value.clone()).collect(),
            at: plugin.declared.place.to_string(),
        }
    }

    /// What it brings along, in one line.
    fn brings(&self) -> String {
        let parts = [("provides", &self.provides), ("tools", &self.tools), ("verbs", &self.verbs), ("only on", &self.platforms)];
        let told = parts.into_iter().filter(|(_, names)| !names.is_empty()).map(|(word, names)| format!("{word} {}", names.join(", ")));
        told.collect::<Vec<_>>().join("; ")
    }
}

/// The first line of the comment that a file starts with.
fn about(file: &SourceFile) -> String {
    let first = file.text().lines().next().and_then(|line| line.strip_prefix('#')).unwrap_or_default();
    first.trim().to_owned()
}

impl Display for Profiles {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |profile: &ProfileLine| {
            let file = profile.file.clone().unwrap_or_else(|| format!("cannot be read, see `dsh-build check --profile {}`", profile.name));
            let bundles = if profile.bundles.is_empty() { "-".to_owned() } else { profile.bundles.join(", ") };
            [profile.name.clone(), bundles, file, profile.about.clone()]
        };
        write_table(out, ["PROFILE", "BUNDLES", "FILE", "ABOUT"], self.0.iter().map(line))
    }
}

impl Display for Bundles {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |bundle: &BundleLine| {
            let rows = bundle.rows.map_or_else(|| "unreadable".to_owned(), |rows| rows.to_string());
            [bundle.name.clone(), rows, bundle.file.clone(), bundle.about.clone()]
        };
        write_table(out, ["BUNDLE", "ROWS", "FILE", "ABOUT"], self.0.iter().map(line))
    }
}

impl Display for Plugins {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |plugin: &PluginLine| [plugin.name.clone(), plugin.at.clone(), plugin.brings()];
        write_table(out, ["PLUGIN", "DECLARED", "BRINGS"], self.0.iter().map(line))
    }
}

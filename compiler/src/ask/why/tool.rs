//! Why a tool is there.

use std::fmt::{self, Display};

use dsh_declare::model::{FromConfig, ToolDecl};
use serde::Serialize;

use crate::ask::Composed;
use crate::ask::config_field::config_field;
use crate::diagnostics::Place;
use crate::index::PluginEntry;

/// What is known of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToolAnswer {
    /// Name that the model uses.
    pub name: String,
    /// The row that has it.
    pub row: String,
    /// Where that row was inserted.
    pub at: String,
    /// Where its name was written.
    pub named_at: String,
    /// The config field that gives the name, when one does.
    pub named_by: Option<String>,
    /// The rows that may be the registry, of which the first that mounts is.
    pub registries: Vec<String>,
}

impl ToolAnswer {
    /// Of every tool of a name.
    #[must_use]
    pub(super) fn all(composed: &Composed<'_>, asked: &str) -> Vec<Self> {
        let mut found = Vec::new();
        for contribution in composed.plan.all_contributions() {
            let Some(row) = composed.composition.row(&contribution.row) else { continue };
            let Some(plugin) = row.plugin_name().and_then(|name| composed.index.plugins.get(name)) else { continue };
            // The plan names the tools in the order of their declarations.
            let declared = contribution.tools.iter().zip(&plugin.declared.decl.tools);
            for (name, decl) in declared.filter(|(name, _)| *name == asked) {
                let (place, field) = name_place(composed, plugin, decl);
                let written = field.as_ref().and_then(|key| match &row.config {
                    Some(config) => config.value().get(key).map(|node| node.place.to_string()),
                    None => None,
                });
                found.push(Self {
                    name: name.clone(),
                    row: contribution.row.clone(),
                    at: row.id.place.to_string(),
                    named_at: written.unwrap_or_else(|| place.to_string()),
                    named_by: field,
                    registries: contribution.registries.clone(),
                });
            }
        }
        found
    }
}

/// Where the declaration names a tool, and the key of the config field that it leaves the name to.
fn name_place(composed: &Composed<'_>, plugin: &PluginEntry, decl: &ToolDecl) -> (Place, Option<String>) {
    let file = &plugin.declared.place.file;
    match &decl.tool {
        FromConfig::Literal(text) => (Place::new(file, text.span.byte_range()), None),
        FromConfig::Field(ident) => {
            let key = composed.index.config_field(plugin, ident).map(|field| field.key.clone());
            let declared = key.clone().and_then(|key| config_field(composed.index, plugin, &[key]));
            (declared.map_or_else(|| plugin.declared.place.clone(), |field| field.place), key)
        }
    }
}

impl Display for ToolAnswer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "tool {}, of row {} (inserted at {})", self.name, self.row, self.at)?;
        let field = self.named_by.as_ref().map(|key| format!(", by `{}.{key}`", self.row)).unwrap_or_default();
        writeln!(out, "  named at {}{field}", self.named_at)?;
        writeln!(out, "  registered with {}", self.registries.join(" or "))?;
        writeln!(out, "  without it: no row loses a service that it requires; `why {}` tells of its row", self.row)
    }
}

//! Why a config field has its value.

use std::fmt::{self, Display};

use serde::Serialize;

use super::row::write_part;
use crate::ask::Composed;
use crate::ask::config_field::{config_field, steps};
use crate::ask::parts::{Part, parts};

/// What is known of a config field, or of `plugin` or `disabled` of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldAnswer {
    /// Row id.
    pub row: String,
    /// The path as it was asked for.
    pub path: String,
    /// The values at the path and below it; empty when no layer gives one.
    pub parts: Vec<Part>,
    /// Its declaration, where the path leads to a declared field.
    pub declared: Option<DeclaredField>,
}

/// How a field is declared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeclaredField {
    /// Where.
    pub at: String,
    /// First line of its documentation.
    pub about: String,
    /// What holds when no layer gives it; `None` when one must.
    pub default: Option<String>,
}

impl FieldAnswer {
    /// Of the field at `row.path.to.field`.
    #[must_use]
    pub(super) fn find(composed: &Composed<'_>, asked: &str) -> Option<Self> {
        let (id, path) = asked.split_once('.')?;
        let row = composed.composition.row(id)?;
        let wanted = steps(path.strip_prefix("config.").unwrap_or(path));
        let is_asked = |part: &Part| match part.key.strip_prefix("config.") {
            Some(key) => steps(key).starts_with(&wanted),
            None => part.key == path,
        };
        let found: Vec<Part> = parts(row, composed.index).into_iter().filter(is_asked).collect();
        let plugin = row.plugin_name().and_then(|name| composed.index.plugins.get(name));
        let declared = plugin.and_then(|plugin| config_field(composed.index, plugin, &wanted)).map(|field| DeclaredField {
            at: field.place.to_string(),
            about: field.decl.doc.lines().next().unwrap_or_default().to_owned(),
            default: field.default(),
        });
        let is_known = !found.is_empty() || declared.is_some();
        is_known.then(|| Self { row: id.to_owned(), path: path.to_owned(), parts: found, declared })
    }
}

impl Display for FieldAnswer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "field {}.{}", self.row, self.path)?;
        for part in &self.parts {
            write_part(out, part)?;
        }
        let Some(declared) = &self.declared else { return Ok(()) };
        let default = declared.default.as_deref();
        if !self.parts.iter().any(|part| part.value.is_some()) {
            writeln!(out, "  given by no layer: {}", default.unwrap_or("nothing"))?;
        }
        let about = if declared.about.is_empty() { String::new() } else { format!(": {}", declared.about) };
        writeln!(out, "  declared at {}{about}", declared.at)?;
        match default {
            Some(default) => writeln!(out, "  without it: the default {default}"),
            None => writeln!(out, "  without it: the composition is refused, it has no default"),
        }
    }
}

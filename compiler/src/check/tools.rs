//! What a tool of a row is called, where its name comes from, and its time limit.

use dsh_declare::model::{FieldDecl, FromConfig, ToolDecl};
use syn::Ident;

use super::Value;
use super::graph::Graph;
use super::rows::MountedRow;
use crate::diagnostics::Place;

/// A tool of a row.
#[derive(Clone, Copy)]
pub struct RowTool<'a> {
    /// The row, as a place in the graph.
    pub row: usize,
    /// Its declaration.
    pub decl: &'a ToolDecl,
}

/// Where a value comes from that a tool takes from its row's config.
pub struct FromField<'a> {
    /// The field.
    pub decl: &'a FieldDecl,
    /// The value in the composition, or what stands for a config that does not give it.
    pub place: &'a Place,
    /// The value.
    pub value: &'a Value,
}

/// The tools of all rows that mount, in row order.
pub fn tools<'a>(graph: &'a Graph<'_>) -> impl Iterator<Item = RowTool<'a>> {
    let of_row = |row: usize| graph.rows.mounted[row].plugin.declared.decl.tools.iter().map(move |decl| RowTool { row, decl });
    graph.on().flat_map(of_row)
}

impl<'a> RowTool<'a> {
    /// Its name; `None` when that is not known, of which another diagnostic tells.
    #[must_use]
    pub fn name(&self, graph: &'a Graph<'_>) -> Option<&'a str> {
        match &self.decl.tool {
            FromConfig::Literal(text) => Some(&text.value),
            FromConfig::Field(field) => match from_field(graph, self.row, field)?.value {
                Value::Text(text) => Some(text),
                _ => None,
            },
        }
    }

    /// The config field that gives its name.
    #[must_use]
    pub fn name_field(&self, graph: &'a Graph<'_>) -> Option<FromField<'a>> {
        match &self.decl.tool {
            FromConfig::Literal(_) => None,
            FromConfig::Field(field) => from_field(graph, self.row, field),
        }
    }

    /// The config field that gives its time limit.
    #[must_use]
    pub fn timeout_field(&self, graph: &'a Graph<'_>) -> Option<FromField<'a>> {
        match &self.decl.timeout_ms {
            None | Some(FromConfig::Literal(_)) => None,
            Some(FromConfig::Field(field)) => from_field(graph, self.row, field),
        }
    }
}

/// A value of a row's config. `None` when the config is not right.
pub(super) fn from_field<'a>(graph: &'a Graph<'_>, row: usize, field: &Ident) -> Option<FromField<'a>> {
    let MountedRow { row: given, plugin, config, .. } = &graph.rows.mounted[row];
    let decl = graph.index.config_field(plugin, field)?;
    let (_, value) = config.as_ref()?.fields.iter().find(|(name, _)| field == name)?;
    let written = given.config.as_ref().and_then(|config| config.value().get(&decl.key));
    let place = written.map_or_else(|| graph.plugin_place(row), |node| &node.place);
    Some(FromField { decl, place, value })
}

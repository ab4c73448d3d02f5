//! Two tools of one name.

use std::collections::BTreeMap;

use dsh_declare::model::{ConfigBody, FromConfig, Text, ToolDecl};
use syn::Ident;

use crate::check::clash::clash;
use crate::check::graph::Graph;
use crate::check::rows::MountedRow;
use crate::diagnostics::{Diagnostics, Rule};
use crate::index::PluginEntry;

/// `DSH0305`
pub static RULE: Rule = Rule::error(
    "DSH0305",
    "more than one tool has a name",
    "A model calls a tool by its name, so each name stands for one tool. Keep one of the rows; where the name comes from a row's \
     config, give another.",
);

/// Reports each tool name that is taken twice. A name that an expression gives when the binary starts is not known here.
pub fn duplicate_tools(graph: &Graph<'_>, problems: &mut Diagnostics) {
    let mut named: BTreeMap<&str, Vec<(usize, &ToolDecl)>> = BTreeMap::new();
    for (at, row) in graph.rows.iter().enumerate() {
        for tool in &row.plugin.declared.decl.tools {
            if let Some(name) = tool_name(tool, row) {
                named.entry(name).or_default().push((at, tool));
            }
        }
    }
    for (name, tools) in named {
        let rows: Vec<usize> = tools.iter().map(|(row, _)| *row).collect();
        let title = format!("more than one tool is named `{name}`");
        let Some(found) = clash(&RULE, title, graph, &rows, &format!("has a tool `{name}`")) else { continue };
        // The last row that can take another name is the one to change: earlier ones were there first.
        let renamable = tools.iter().rev().find_map(|(row, tool)| Some((graph.rows[*row].plugin, *row, field(tool)?)));
        problems.report(match renamable {
            Some((plugin, row, field)) => {
                found.help(format!("give another name in `{}` of row `{}`, or disable it", key(graph, plugin, field), graph.id(row)))
            }
            None => found.help("keep one of the rows, and disable the others"),
        });
    }
}

fn field(tool: &ToolDecl) -> Option<&Ident> {
    match &tool.tool {
        FromConfig::Field(field) => Some(field),
        FromConfig::Literal(_) => None,
    }
}

/// The key of a config field as a composition writes it.
fn key(graph: &Graph<'_>, plugin: &PluginEntry, field: &Ident) -> String {
    let declared = plugin.config.as_ref().and_then(|item| graph.index.configs.get(item));
    let key = declared.and_then(|declared| match &declared.decl.body {
        ConfigBody::Struct(fields) => fields.iter().find(|found| found.ident == *field).map(|found| found.key.clone()),
        ConfigBody::Enum(_) => None,
    });
    key.unwrap_or_else(|| field.to_string())
}

fn tool_name<'a>(tool: &'a ToolDecl, row: &'a MountedRow<'_>) -> Option<&'a str> {
    match &tool.tool {
        FromConfig::Literal(Text { value, .. }) => Some(value),
        FromConfig::Field(field) => row.text_field(&field.to_string()),
    }
}

//! Two tools of one name.

use std::collections::BTreeMap;

use dsh_declare::model::{FromConfig, Text, ToolDecl};

use crate::check::graph::Graph;
use crate::check::rows::MountedRow;
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};

/// `DSH0305`
pub static RULE: Rule = Rule::error(
    "DSH0305",
    "two tools have the same name",
    "A model calls a tool by its name, so each name stands for one tool. Disable one of the rows; where the name comes from a row's \
     config, give another.",
);

/// Reports each tool name that is taken twice. A name that an expression gives when the binary starts is not known here.
pub fn duplicate_tools(graph: &Graph<'_>, problems: &mut Diagnostics) {
    let mut taken: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, row) in graph.rows.iter().enumerate() {
        for tool in &row.plugin.declared.decl.tools {
            let Some(name) = tool_name(tool, row) else { continue };
            let Some(first) = taken.get(name) else {
                taken.insert(name, at);
                continue;
            };
            let found = Diagnostic::new(&RULE, format!("two tools are named `{name}`"))
                .at(graph.plugin_place(at), format!("row `{}` has a tool `{name}`", graph.id(at)))
                .and(graph.plugin_place(*first), format!("row `{}` has one too", graph.id(*first)));
            problems.report(match field(tool) {
                Some(field) => found.help(format!("give another name in `config.{field}`, or disable one of the rows")),
                None => found.help("disable one of the rows"),
            });
        }
    }
}

fn field(tool: &ToolDecl) -> Option<String> {
    match &tool.tool {
        FromConfig::Field(field) => Some(field.to_string()),
        FromConfig::Literal(_) => None,
    }
}

fn tool_name<'a>(tool: &'a ToolDecl, row: &'a MountedRow<'_>) -> Option<&'a str> {
    match &tool.tool {
        FromConfig::Literal(Text { value, .. }) => Some(value),
        FromConfig::Field(field) => row.text_field(&field.to_string()),
    }
}

//! Two tools of one name.

use std::collections::BTreeMap;

use crate::check::clash::clash;
use crate::check::graph::Graph;
use crate::check::tools::{RowTool, tools};
use crate::diagnostics::{Diagnostics, Rule};

/// `DSH0305`
pub static RULE: Rule = Rule::error("DSH0305", "more than one tool has a name", include_str!("duplicate_tool.md"));

/// Where a name stands for one tool: a preset or the composition, and a registry. A preset's tool takes the place of the composition's
/// of that name, and what is in another registry is called elsewhere.
type Layer = (Option<usize>, Option<usize>);

/// Reports each tool name that is taken twice.
pub fn duplicate_tools(graph: &Graph<'_>, problems: &mut Diagnostics) {
    let mut named: BTreeMap<(Layer, &str), Vec<RowTool<'_>>> = BTreeMap::new();
    for tool in tools(graph) {
        if let Some(name) = tool.name(graph) {
            let registry = graph.provider(tool.row, graph.tool_registry());
            named.entry(((graph.rows.mounted[tool.row].preset, registry), name)).or_default().push(tool);
        }
    }
    for ((_, name), tools) in named {
        let rows: Vec<usize> = tools.iter().map(|tool| tool.row).collect();
        let title = format!("more than one tool is named `{name}`");
        let Some(found) = clash(&RULE, title, graph, &rows, &format!("has a tool `{name}`")) else { continue };
        // The last row that can take another name is the one to change: earlier ones were there first.
        let renamable = tools.iter().rev().find_map(|tool| Some((tool.row, tool.name_field(graph)?.decl)));
        problems.report(match renamable {
            Some((row, field)) => found.help(format!("give another name in `{}` of row `{}`, or disable it", field.key, graph.id(row))),
            None => found.help("keep one of the rows, and disable the others"),
        });
    }
}

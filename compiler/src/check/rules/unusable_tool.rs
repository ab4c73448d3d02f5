//! A tool that the registry would refuse when the binary starts.

use dsh_declare::model::FieldDecl;
use dsh_declare::names::check_tool_name;

use crate::check::Value;
use crate::check::graph::Graph;
use crate::check::tools::{FromField, RowTool, tools};
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};

/// `DSH0309`
pub static RULE: Rule =
    Rule::error("DSH0309", "a row's config gives a tool a name or a time limit that it cannot have", include_str!("unusable_tool.md"));

/// Reports tools whose name or time limit, from a row's config, is of no use.
pub fn unusable_tools(graph: &Graph<'_>, problems: &mut Diagnostics) {
    for tool in tools(graph) {
        let name = tool.name_field(graph).and_then(|field| unusable_name(graph, &tool, &field));
        let limit = tool.timeout_field(graph).and_then(|field| unusable_limit(graph, &tool, &field));
        name.into_iter().chain(limit).for_each(|problem| problems.report(problem));
    }
}

fn unusable_name(graph: &Graph<'_>, tool: &RowTool<'_>, field: &FromField<'_>) -> Option<Diagnostic> {
    let row = graph.id(tool.row);
    match field.value {
        // What its bounds refuse is told already.
        Value::Text(name) if !keeps_bounds(field.decl, name) => None,
        Value::Text(name) => {
            let reason = check_tool_name(name).err()?;
            Some(Diagnostic::new(&RULE, format!("`{name}` cannot be the name of a tool")).at(field.place, reason).note(gives(row, field)))
        }
        Value::Expression { .. } => Some(
            Diagnostic::new(&RULE, format!("the name of a tool of row `{row}` is only known where the binary runs"))
                .at(field.place, "reads the machine")
                .note(gives(row, field))
                .help("give a literal, or an expression over constants"),
        ),
        // The index has made sure that the field is a string.
        _ => None,
    }
}

fn unusable_limit(graph: &Graph<'_>, tool: &RowTool<'_>, field: &FromField<'_>) -> Option<Diagnostic> {
    let limit = match field.value {
        Value::Option(Some(limit)) => limit,
        limit => limit,
    };
    matches!(limit, Value::Int(0)).then(|| {
        Diagnostic::new(&RULE, format!("`{}` cannot be 0", field.decl.key))
            .at(field.place, "must be at least 1")
            .note(format!("it is the time limit of a tool of row `{}`", graph.id(tool.row)))
    })
}

fn keeps_bounds(field: &FieldDecl, name: &str) -> bool {
    let is_blank = field.bounds.non_blank && name.trim().is_empty() || field.bounds.non_empty && name.is_empty();
    let is_offered = field.bounds.one_of.is_empty() || field.bounds.one_of.iter().any(|offered| offered == name);
    is_offered && !is_blank
}

fn gives(row: &str, field: &FromField<'_>) -> String {
    format!("`{}` gives a tool of row `{row}` its name", field.decl.key)
}

//! Tools: in a profile what the model is told of each and what stands around its calls, in the workspace what is declared.

use dsh_declare::model::{ArgType, FromConfig, Render, Text, ToolArgsBody, ToolDecl};
use serde::Serialize;

use super::content::Content;
use super::described::{Described, Tool};
use super::page::{code, code_list, first_paragraph, table, unknown};
use super::subject::{Subject, User};
use crate::index::{Index, ItemId};

/// A tool of a profile.
#[derive(Serialize)]
struct Entry<'a> {
    #[serde(flatten)]
    tool: &'a Tool,
    /// The rows that may be told of it.
    registries: &'a [String],
}

/// What stands before a body.
#[derive(Serialize)]
struct Guard<'a> {
    user: &'a str,
    denies: &'a str,
}

/// A tool of the workspace.
#[derive(Serialize)]
struct Declared<'a> {
    /// Its name, or the config field that gives it.
    tool: String,
    plugin: &'a str,
    meaning: String,
    render: &'static str,
    concurrent: bool,
    #[serde(rename = "timeoutMs")]
    timeout_ms: Option<String>,
    arguments: Vec<Argument>,
}

#[derive(Serialize)]
struct Argument {
    name: String,
    r#type: String,
    required: bool,
    meaning: String,
}

pub(super) fn content(subject: &Subject<'_>) -> Content {
    let guards: Vec<Guard<'_>> = subject.users.iter().flat_map(guards).collect();
    let shown = || subject.users.iter().flat_map(|user| &user.plugin.tool_args).flat_map(|args| with_inner(args, subject.index));
    match subject.described {
        Some(described) => of_profile(subject, described, &guards).showing(shown()),
        None => of_workspace(subject, &guards).showing(shown()),
    }
}

fn guards<'a>(user: &User<'a>) -> impl Iterator<Item = Guard<'a>> {
    let name = user.name;
    user.plugin.declared.decl.guards.iter().map(move |rule| Guard { user: name, denies: &rule.value })
}

fn of_profile(subject: &Subject<'_>, described: &Described, guards: &[Guard<'_>]) -> Content {
    let registries = |row: &str| {
        let found = subject.plan.and_then(|plan| plan.all_contributions().find(|contribution| contribution.row == row));
        found.map_or(&[][..], |contribution| contribution.registries.as_slice())
    };
    let entries: Vec<Entry<'_>> = described.tools.iter().map(|tool| Entry { tool, registries: registries(&tool.row) }).collect();
    let around = around(subject, &entries);
    let sections: String = entries.iter().map(|entry| section(entry.tool)).collect();
    let sections = unknown(described) + &sections;
    let body = format!("{sections}{}{}", guard_words(guards, subject), around_words(&around));
    let about = "What the model is told of each tool under the profile's configs, and what stands around every call.";
    let around: Vec<serde_json::Value> =
        around.iter().map(|(event, listeners)| serde_json::json!({ "event": event, "listeners": listeners })).collect();
    Content::new("Tools", about, &entries, body)
        .with("inputs", described.inputs.clone())
        .with("answer", described.answer())
        .with("problem", described.problem.clone())
        .with("guards", serde_json::json!(guards))
        .with("around", around)
}

/// The waterfalls that the registries dispatch, with the rows that listen to each.
fn around<'a>(subject: &Subject<'a>, entries: &[Entry<'_>]) -> Vec<(&'a str, Vec<&'a str>)> {
    let Some(plan) = subject.plan else { return Vec::new() };
    let is_registry = |row: &String| entries.iter().any(|entry| entry.registries.contains(row));
    let waterfalls = plan.topics.iter().filter(|topic| topic.mode == dsh_declare::model::Mode::Waterfall);
    let asked = waterfalls.filter(|topic| topic.dispatchers.iter().any(is_registry));
    asked.map(|topic| (topic.name.as_str(), topic.listeners.iter().map(|heard| heard.row.as_str()).collect())).collect()
}

fn section(tool: &Tool) -> String {
    let overlap = if tool.concurrent { "calls may overlap" } else { "calls run one after the other" };
    let limit = tool.timeout_ms.map(|limit| format!(", at most {limit} ms")).unwrap_or_default();
    let description = tool.description.lines().map(|line| format!("> {line}").trim_end().to_owned() + "\n").collect::<String>();
    let schema = serde_json::to_string_pretty(&tool.parameters).unwrap_or_default();
    format!(
        "## `{}`\n\nRow `{}`; shown as {}; {overlap}{limit}.\n\n{description}\n```json\n{schema}\n```\n\n",
        tool.name, tool.row, tool.render
    )
}

fn guard_words(guards: &[Guard<'_>], subject: &Subject<'_>) -> String {
    let rows = guards.iter().map(|guard| [guard.denies.to_owned(), code(guard.user)]);
    let table = table(["denied", subject.user_word()], rows);
    format!("## Guards\n\n{}\n", if table.is_empty() { "Nothing guards calls.\n" } else { &table })
}

fn around_words(around: &[(&str, Vec<&str>)]) -> String {
    let rows = around.iter().map(|(event, listeners)| [code(event), code_list(listeners)]);
    let table = table(["event", "rows that listen, in order"], rows);
    if table.is_empty() { table } else { format!("## Around every call\n\n{table}\n") }
}

fn of_workspace(subject: &Subject<'_>, guards: &[Guard<'_>]) -> Content {
    let of_user = |user: &User<'_>| {
        let tools = user.plugin.declared.decl.tools.iter().zip(&user.plugin.tool_args);
        tools.map(|(tool, args)| (user.plugin.name.clone(), tool.clone(), args.clone())).collect::<Vec<_>>()
    };
    let tools: Vec<(String, ToolDecl, ItemId)> = subject.users.iter().flat_map(of_user).collect();
    let entries: Vec<Declared<'_>> = tools.iter().map(|(plugin, tool, args)| declared(plugin, tool, args, subject.index)).collect();
    let sections: String = entries.iter().map(declared_section).collect();
    let about = "The tools that plugins declare. What the model is told of one depends on the config of its row and stands in the catalogs of profiles.";
    let guarded = if guards.is_empty() { String::new() } else { guard_words(guards, subject) };
    Content::new("Tools", about, &entries, sections + &guarded).with("guards", serde_json::json!(guards))
}

fn declared<'a>(plugin: &'a str, tool: &ToolDecl, args: &ItemId, index: &Index) -> Declared<'a> {
    let name = |name: &FromConfig<Text>| match name {
        FromConfig::Literal(text) => text.value.clone(),
        FromConfig::Field(field) => format!("config.{field}"),
    };
    let limit = |limit: &FromConfig<u64>| match limit {
        FromConfig::Literal(limit) => limit.to_string(),
        FromConfig::Field(field) => format!("config.{field}"),
    };
    Declared {
        tool: name(&tool.tool),
        plugin,
        meaning: match &tool.describe {
            Some(_) => String::new(),
            None => tool.doc.clone(),
        },
        render: match tool.render {
            Render::Generic => "generic",
            Render::Terminal => "terminal",
            Render::Diff => "diff",
        },
        concurrent: tool.concurrent,
        timeout_ms: tool.timeout_ms.as_ref().map(limit),
        arguments: arguments(args, "", index),
    }
}

/// The arguments of a type, each followed by those inside it.
fn arguments(args: &ItemId, before: &str, index: &Index) -> Vec<Argument> {
    let Some(ToolArgsBody::Struct(fields)) = index.tool_args.get(args).map(|args| &args.decl.body) else { return Vec::new() };
    let of_field = |field: &dsh_declare::model::ArgField| {
        let name = format!("{before}{}", field.ident);
        let (words, inner) = words(&field.ty, &args.package, index);
        let path = if matches!(unwrapped(&field.ty), ArgType::List(_)) { format!("{name}[].") } else { format!("{name}.") };
        let argument = Argument { name, r#type: words, required: !matches!(field.ty, ArgType::Option(_)), meaning: field.doc.clone() };
        std::iter::once(argument).chain(inner.iter().flat_map(|inner| arguments(inner, &path, index))).collect::<Vec<_>>()
    };
    fields.iter().flat_map(of_field).collect()
}

fn unwrapped(ty: &ArgType) -> &ArgType {
    if let ArgType::Option(inner) = ty { unwrapped(inner) } else { ty }
}

/// A type in words, and the declared type in it.
fn words(ty: &ArgType, package: &str, index: &Index) -> (String, Option<ItemId>) {
    match ty {
        ArgType::Text => ("text".to_owned(), None),
        ArgType::Bool => ("`true` or `false`".to_owned(), None),
        ArgType::Int => ("integer".to_owned(), None),
        ArgType::Float => ("number".to_owned(), None),
        ArgType::Any => ("anything".to_owned(), None),
        ArgType::Option(inner) => words(inner, package, index),
        ArgType::List(inner) => {
            let (words, named) = words(inner, package, index);
            (format!("list of {words}"), named)
        }
        ArgType::Named(path) => {
            let found = index.tool_args.values().find(|args| is_named(&args.id, path, package));
            match found.map(|args| (&args.decl.body, &args.id)) {
                Some((ToolArgsBody::Enum(variants), id)) => {
                    (variants.iter().map(|variant| code(&variant.key)).collect::<Vec<_>>().join(", "), Some(id.clone()))
                }
                found => ("object".to_owned(), found.map(|(_, id)| id.clone())),
            }
        }
    }
}

/// Whether a path that stands in a package may lead to a type: by its name, in the package first.
fn is_named(id: &ItemId, path: &syn::Path, package: &str) -> bool {
    path.segments.last().is_some_and(|last| last.ident == id.name) && (id.package == package || path.segments.len() > 1)
}

/// A type of arguments and those in it.
fn with_inner(args: &ItemId, index: &Index) -> Vec<ItemId> {
    let mut all = vec![args.clone()];
    let mut next = 0;
    while let Some(args) = all.get(next).cloned() {
        next += 1;
        let Some(ToolArgsBody::Struct(fields)) = index.tool_args.get(&args).map(|args| &args.decl.body) else { continue };
        let inner = fields.iter().filter_map(|field| words(&field.ty, &args.package, index).1);
        let new: Vec<ItemId> = inner.filter(|inner| !all.contains(inner)).collect();
        all.extend(new);
    }
    all
}

fn declared_section(entry: &Declared<'_>) -> String {
    let overlap = if entry.concurrent { "calls may overlap" } else { "calls run one after the other" };
    let limit = entry.timeout_ms.as_ref().map(|limit| format!(", at most `{limit}` ms")).unwrap_or_default();
    let meaning = if entry.meaning.is_empty() { "Its config makes its description.".to_owned() } else { first_paragraph(&entry.meaning) };
    let cells = |argument: &Argument| {
        let required = if argument.required { "required" } else { "optional" };
        [code(&argument.name), argument.r#type.clone(), required.to_owned(), argument.meaning.clone()]
    };
    let table = table(["argument", "type", "", "meaning"], entry.arguments.iter().map(cells));
    let table = if table.is_empty() { "It has no arguments.\n" } else { &table };
    format!("## `{}`\n\nPlugin `{}`; shown as {}; {overlap}{limit}. {meaning}\n\n{table}\n", entry.tool, entry.plugin, entry.render)
}

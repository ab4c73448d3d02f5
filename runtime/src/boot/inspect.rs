//! `inspect`: what a binary is made of, for readers and for programs.

use std::fmt::Write as _;

use serde::Serialize;

use super::command_line::Kind;
use super::inspect_prompt::Prompt;
use super::inspect_surroundings::Surroundings;
use super::{Boot, BootError};
use crate::description::{Description, EventDescription, ServiceDescription, ToolDescription};
use crate::entry::Identity;

/// An answer.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    profile: &'a str,
    /// Digest of the composition, overlays included.
    composition: &'a str,
    #[serde(flatten)]
    parts: Parts<'a>,
}

/// What was asked for.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Parts<'a> {
    Rows(Vec<Row<'a>>),
    Services(&'a [ServiceDescription]),
    Events(&'a [EventDescription]),
    Tools(Vec<ToolDescription>),
    Prompt(Prompt),
    Surroundings(Surroundings),
}

/// A row.
#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    /// A group has none.
    plugin: Option<&'a str>,
    /// Version of the plugin's package; none where the binary does not carry it.
    version: Option<&'a str>,
    on: bool,
    /// The file that inserted it.
    inserted: &'a str,
    /// Other files that gave it other values.
    patched: Vec<String>,
}

impl<'a> Answer<'a> {
    /// Of a binary. `patched` names the overlays that changed a row; `boot` knows the configs and conditions of this start.
    pub(super) fn new(
        kind: Kind,
        identity: &'a Identity,
        composition: &'a str,
        description: &'a Description,
        patched: impl Fn(&str) -> Vec<String>,
        boot: &Boot,
    ) -> Result<Self, BootError> {
        let decided = description.graph.map(|graph| boot.decide(graph).map(|rows| (graph, rows))).transpose()?;
        let on = |id: &str| {
            let carried = description.rows.iter().any(|row| row.id == id && row.carried.is_some());
            let switched = decided.as_ref().is_none_or(|(graph, rows)| graph.place(id).is_some_and(|place| rows.is_on(place)));
            carried && switched
        };
        let parts = match kind {
            Kind::Rows => Parts::Rows(rows(description, patched, &on)),
            Kind::Services => Parts::Services(description.services),
            Kind::Events => Parts::Events(description.events),
            Kind::Tools => Parts::Tools(boot.configure(|eval| (description.tools)(eval, &on))?),
            Kind::Surroundings => Parts::Surroundings(Surroundings::new(description.surroundings)),
            Kind::Prompt => Parts::Prompt(Prompt::new(boot.configure(|eval| (description.prompt)(eval, &on))?, description)),
        };
        Ok(Self { profile: identity.profile, composition, parts })
    }

    /// One JSON object in one line.
    pub(super) fn json(&self) -> String {
        serde_json::to_string(self).expect("strings, numbers and JSON under string keys are always JSON") + "\n"
    }

    /// A table.
    pub(super) fn human(&self) -> String {
        match &self.parts {
            Parts::Rows(rows) => table(&["row", "plugin", "version", "state", "from"], rows.iter().map(Row::cells)),
            Parts::Services(services) => table(&["service", "provider", "consumers"], services.iter().map(service)),
            Parts::Events(events) => table(&["event", "mode", "dispatched by", "heard by, in order"], events.iter().map(event)),
            Parts::Prompt(prompt) => prompt.human(),
            Parts::Surroundings(surroundings) => table(&["name", "read as", "row", "field"], surroundings.rows().into_iter()),
            Parts::Tools(tools) => tools.iter().map(tool).collect::<Vec<_>>().join("\n"),
        }
    }
}

fn rows<'a>(description: &'a Description, patched: impl Fn(&str) -> Vec<String>, on: &dyn Fn(&str) -> bool) -> Vec<Row<'a>> {
    let row = |row: &'a crate::description::RowDescription| {
        let mut files: Vec<String> = row.patched.iter().map(|file| (*file).to_owned()).collect();
        files.extend(patched(row.id).into_iter().filter(|file| !row.patched.contains(&file.as_str())));
        Row {
            id: row.id,
            plugin: row.plugin,
            version: row.carried.map(|carried| carried.plugin.version),
            on: on(row.id) || row.plugin.is_none(),
            inserted: row.inserted,
            patched: files,
        }
    };
    description.rows.iter().map(row).collect()
}

impl Row<'_> {
    fn cells(&self) -> Vec<String> {
        let patched = if self.patched.is_empty() { String::new() } else { format!(", patched by {}", self.patched.join(", ")) };
        vec![
            self.id.to_owned(),
            self.plugin.unwrap_or("-").to_owned(),
            self.version.unwrap_or("-").to_owned(),
            if self.on { "on" } else { "off" }.to_owned(),
            format!("{}#{}{patched}", self.inserted, self.id),
        ]
    }
}

fn service(service: &ServiceDescription) -> Vec<String> {
    vec![service.key.to_owned(), names(service.providers), names(service.consumers)]
}

fn event(event: &EventDescription) -> Vec<String> {
    vec![event.name.to_owned(), event.mode.to_owned(), names(event.dispatchers), names(event.listeners)]
}

fn names(names: &[&str]) -> String {
    if names.is_empty() { "-".to_owned() } else { names.join(", ") }
}

fn tool(tool: &ToolDescription) -> String {
    let indented = |text: &str| text.lines().fold(String::new(), |all, line| all + "  " + line + "\n");
    let schema = serde_json::to_string_pretty(&tool.parameters).expect("a JSON value is always JSON");
    format!("{} (row {})\n{}{}", tool.name, tool.row, indented(&tool.description), indented(&schema))
}

/// Columns are as wide as their widest cell; the last one is not filled up.
fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let head = head.iter().map(|name| name.to_uppercase()).collect();
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
    let columns = rows[0].len();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(|column| if column + 1 == columns { 0 } else { width(column) + 2 }).collect();
    let mut text = String::new();
    for row in &rows {
        for (cell, width) in row.iter().zip(&widths) {
            // Writing to a string does not fail.
            let _ = write!(text, "{cell:width$}");
        }
        text.push('\n');
    }
    text
}

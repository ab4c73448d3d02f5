//! `inspect`: what a binary is made of, for readers and for programs.

use std::fmt::Write as _;

use serde::Serialize;

use super::BootError;
use super::command_line::Kind;
use super::inspect_prompt::Prompt;
use super::inspect_surroundings::Surroundings;
use super::seen::{Row, Seen};
use crate::description::{EventDescription, ServiceDescription, ToolDescription};
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

impl<'a> Answer<'a> {
    /// Of a binary at this start. `patched` names the overlays that changed a row.
    pub(super) fn new(
        kind: Kind,
        identity: &'a Identity,
        composition: &'a str,
        seen: &Seen<'a>,
        patched: impl Fn(&str) -> Vec<String>,
    ) -> Result<Self, BootError> {
        let parts = match kind {
            Kind::Rows => Parts::Rows(seen.rows(patched)),
            Kind::Services => Parts::Services(seen.description.services),
            Kind::Events => Parts::Events(seen.description.events),
            Kind::Tools => Parts::Tools(seen.tools()?),
            Kind::Surroundings => Parts::Surroundings(Surroundings::new(seen.description.surroundings)),
            Kind::Prompt => Parts::Prompt(seen.prompt()?),
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
            Parts::Rows(rows) => table(&["row", "plugin", "version", "state", "from"], rows.iter().map(row)),
            Parts::Services(services) => table(&["service", "provider", "consumers"], services.iter().map(service)),
            Parts::Events(events) => table(&["event", "mode", "dispatched by", "heard by, in order"], events.iter().map(event)),
            Parts::Prompt(prompt) => prompt.human(),
            Parts::Surroundings(surroundings) => table(&["name", "read as", "row", "field"], surroundings.rows().into_iter()),
            Parts::Tools(tools) => tools.iter().map(tool).collect::<Vec<_>>().join("\n"),
        }
    }
}

fn row(row: &Row<'_>) -> Vec<String> {
    let patched = if row.patched.is_empty() { String::new() } else { format!(", patched by {}", row.patched.join(", ")) };
    vec![
        row.id.to_owned(),
        row.plugin.unwrap_or("-").to_owned(),
        row.version.unwrap_or("-").to_owned(),
        if row.on { "on" } else { "off" }.to_owned(),
        format!("{}#{}{patched}", row.inserted, row.id),
    ]
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

//! What of a description holds at this start: under its overlays and conditions.

use serde::Serialize;

use super::inspect_prompt::Prompt;
use super::{Boot, BootError, Graph, Rows};
use crate::description::{Description, RowDescription, ToolDescription};

/// A description at a start.
pub(super) struct Seen<'a> {
    /// What was built.
    pub description: &'a Description,
    boot: &'a Boot,
    /// Which rows are on, where some may be off.
    decided: Option<(&'static Graph, Rows)>,
}

/// A row.
#[derive(Serialize)]
pub(super) struct Row<'a> {
    /// Its id.
    pub id: &'a str,
    /// A group has none.
    pub plugin: Option<&'a str>,
    /// Version of the plugin's package; none where the binary does not carry it.
    pub version: Option<&'a str>,
    /// Digest of the sources of the plugin's package, likewise.
    pub source: Option<String>,
    /// Whether it is on.
    pub on: bool,
    /// The file that inserted it.
    pub inserted: &'a str,
    /// Other files that gave it other values.
    pub patched: Vec<String>,
}

impl<'a> Seen<'a> {
    /// Decides which rows are on.
    ///
    /// # Errors
    /// Conditions that cannot be evaluated here.
    pub(super) fn new(description: &'a Description, boot: &'a Boot) -> Result<Self, BootError> {
        let decided = description.graph.map(|graph| boot.decide(graph).map(|rows| (graph, rows))).transpose()?;
        Ok(Self { description, boot, decided })
    }

    fn is_on(&self, id: &str) -> bool {
        let carried = self.description.rows.iter().any(|row| row.id == id && row.carried.is_some());
        let switched = self.decided.as_ref().is_none_or(|(graph, rows)| graph.place(id).is_some_and(|place| rows.is_on(place)));
        carried && switched
    }

    /// The rows; `patched` names the overlays that changed one.
    pub(super) fn rows(&self, patched: impl Fn(&str) -> Vec<String>) -> Vec<Row<'a>> {
        let row = |row: &'a RowDescription| {
            let mut files: Vec<String> = row.patched.iter().map(|file| (*file).to_owned()).collect();
            files.extend(patched(row.id).into_iter().filter(|file| !row.patched.contains(&file.as_str())));
            Row {
                id: row.id,
                plugin: row.plugin,
                version: row.carried.map(|carried| carried.plugin.version),
                source: row.carried.map(|carried| format!("{:016x}", carried.plugin.source)),
                on: self.is_on(row.id) || row.plugin.is_none(),
                inserted: row.inserted,
                patched: files,
            }
        };
        self.description.rows.iter().map(row).collect()
    }

    /// The tools.
    ///
    /// # Errors
    /// A config that cannot be evaluated here.
    pub(super) fn tools(&self) -> Result<Vec<ToolDescription>, BootError> {
        self.boot.configure(|eval| (self.description.tools)(eval, &|id| self.is_on(id)))
    }

    /// The prompt.
    ///
    /// # Errors
    /// A config that cannot be evaluated here.
    pub(super) fn prompt(&self) -> Result<Prompt, BootError> {
        let parts = self.boot.configure(|eval| (self.description.prompt)(eval, &|id| self.is_on(id)))?;
        Ok(Prompt::new(parts, self.description))
    }
}

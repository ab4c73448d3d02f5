//! The rows of a composition as one document: a patch list that can be loaded, with comments that say where its rows came from.

use std::fmt::{self, Display};

use serde::Serialize;

use super::Composed;
use super::parts::switch;
use super::yaml::append_value;
use crate::load::Node;
use crate::resolve::{Row, Setting};

/// The rows of a profile after all layers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Document {
    /// Profile name.
    pub profile: String,
    /// Composition digest; a profile of this name and these aliases whose patch is the document has the same.
    pub digest: String,
    /// Other names that the binary accepts.
    pub aliases: Vec<String>,
    /// A patch list in YAML. Expressions stand as they were written, defaults are not filled in.
    pub document: String,
}

impl Document {
    /// The rows of a composition. Neighbours that the same files gave are one insert, under a comment that names the files.
    #[must_use]
    pub fn new(composed: &Composed<'_>) -> Self {
        let rows = &composed.composition.rows;
        let mut document = String::new();
        for run in rows.chunk_by(|row, next| origin(row) == origin(next)) {
            append_run(&mut document, run);
        }
        if rows.is_empty() {
            document.push_str("[]\n");
        }
        let plan = composed.plan;
        Self { profile: plan.profile.clone(), digest: plan.digest.clone(), aliases: plan.aliases.clone(), document }
    }
}

fn append_run(document: &mut String, run: &[Row]) {
    let [first, rest @ ..] = run else { return };
    let (file, patched) = origin(first);
    let last = rest.last().map(|row| format!(" to #{}", row.id.text)).unwrap_or_default();
    let patched = if patched.is_empty() { String::new() } else { format!(", patched by {}", patched.join(", ")) };
    if !document.is_empty() {
        document.push('\n');
    }
    document.push_str(&format!("# == {file}#{}{last}{patched}\n- insert:\n", first.id.text));
    for row in run {
        append_row(document, row);
    }
}

fn append_row(document: &mut String, row: &Row) {
    document.push_str(&format!("    - id: {}\n", row.id.text));
    if let Some(plugin) = row.plugin_name() {
        document.push_str(&format!("      plugin: {plugin}\n"));
    }
    if let Some(config) = &row.config {
        document.push_str("      config:");
        append_value(document, config.value(), 8);
    }
    if let Some(disabled) = &row.disabled {
        document.push_str(&format!("      disabled: {}\n", switch(disabled.value())));
    }
}

/// The file that inserted a row, and the other files that gave it other values, each once.
fn origin(row: &Row) -> (&str, Vec<&str>) {
    let inserted = row.id.place.file.name();
    let config = |node: &Node| {
        let mut text = String::new();
        append_value(&mut text, node, 0);
        text
    };
    let plugin = givers(row.plugin.as_ref(), |name| name.clone().unwrap_or_default());
    let mut patched: Vec<&str> = Vec::new();
    for file in plugin.into_iter().chain(givers(row.config.as_ref(), config)).chain(givers(row.disabled.as_ref(), switch)) {
        if file != inserted && !patched.contains(&file) {
            patched.push(file);
        }
    }
    (inserted, patched)
}

/// The files that gave a key another value than it had.
fn givers<T>(setting: Option<&Setting<T>>, text: impl Fn(&T) -> String) -> Vec<&str> {
    let mut files = Vec::new();
    let mut before = None;
    for given in setting.into_iter().flat_map(|setting| setting.earlier.iter().chain([&setting.current])) {
        let value = Some(text(&given.value));
        if value != before {
            files.push(given.key.file.name());
        }
        before = value;
    }
    files
}

/// The document as it can be kept in a file.
impl Display for Document {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let aliases = if self.aliases.is_empty() { String::new() } else { format!(" (also called {})", self.aliases.join(", ")) };
        write!(out, "# profile {}{aliases}, composition {}\n\n{}", self.profile, self.digest, self.document)
    }
}

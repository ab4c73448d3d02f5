//! The rows of a composition as one document: a patch list that can be loaded, with comments that say where its rows came from.

use std::fmt::{self, Display};

use serde::Serialize;

use super::Composed;
use super::parts::{names, switch};
use super::yaml::append_value;
use crate::load::Node;
use crate::resolve::{PresetRows, Row, Setting};

/// The rows of a profile after all layers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Document {
    /// Profile name.
    pub profile: String,
    /// Composition digest; a profile of this name and these aliases whose patch is the document, and whose presets are those here, has
    /// the same.
    pub digest: String,
    /// Other names that the binary accepts.
    pub aliases: Vec<String>,
    /// A patch list in YAML. Expressions stand as they were written, defaults are not filled in.
    pub document: String,
    /// The rows of each preset, likewise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub presets: Vec<PresetDocument>,
}

/// The rows of a preset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PresetDocument {
    /// Its name.
    pub name: String,
    /// A patch list in YAML.
    pub document: String,
}

impl Document {
    /// The rows of a composition. Neighbours that the same files gave are one insert, under a comment that names the files.
    #[must_use]
    pub fn new(composed: &Composed<'_>) -> Self {
        let (plan, composition) = (composed.plan, composed.composition);
        let preset = |PresetRows { name, rows }: &PresetRows| PresetDocument { name: name.text.clone(), document: patch_list(rows) };
        Self {
            profile: plan.profile.clone(),
            digest: plan.digest.clone(),
            aliases: plan.aliases.clone(),
            document: patch_list(&composition.rows),
            presets: composition.presets.iter().map(preset).collect(),
        }
    }
}

fn patch_list(rows: &[Row]) -> String {
    let mut document = String::new();
    let trees = trees(rows);
    for run in trees.chunk_by(|tree, next| origin(tree.row) == origin(next.row)) {
        append_run(&mut document, run);
    }
    if rows.is_empty() {
        document.push_str("[]\n");
    }
    document
}

/// A row with what it holds.
struct Tree<'a> {
    row: &'a Row,
    rows: Vec<Tree<'a>>,
}

fn trees(rows: &[Row]) -> Vec<Tree<'_>> {
    let Some(depth) = rows.first().map(|row| row.depth) else { return Vec::new() };
    let runs = rows.chunk_by(|_, next| next.depth > depth);
    runs.filter_map(|run| run.split_first()).map(|(row, inside)| Tree { row, rows: trees(inside) }).collect()
}

fn append_run(document: &mut String, run: &[Tree<'_>]) {
    let [Tree { row: first, .. }, rest @ ..] = run else { return };
    let last = rest.last().map(|tree| format!(" to #{}", tree.row.id.text)).unwrap_or_default();
    if !document.is_empty() {
        document.push('\n');
    }
    document.push_str(&format!("# == {}\n- insert:\n", origin_words(first, &last)));
    for tree in run {
        append_row(document, tree, 4);
    }
}

/// `file#row`, and who patched it.
fn origin_words(row: &Row, last: &str) -> String {
    let (file, patched) = origin(row);
    let patched = if patched.is_empty() { String::new() } else { format!(", patched by {}", patched.join(", ")) };
    format!("{file}#{}{last}{patched}", row.id.text)
}

fn append_row(document: &mut String, Tree { row, rows }: &Tree<'_>, indent: usize) {
    let space = " ".repeat(indent);
    document.push_str(&format!("{space}- id: {}\n", row.id.text));
    if let Some(plugin) = row.plugin_name() {
        document.push_str(&format!("{space}  plugin: {plugin}\n"));
    }
    if let Some(config) = &row.config {
        document.push_str(&format!("{space}  config:"));
        append_value(document, config.value(), indent + 4);
    }
    if let Some(disabled) = &row.disabled {
        document.push_str(&format!("{space}  disabled: {}\n", switch(disabled.value())));
    }
    if let Some(isolate) = &row.isolate {
        document.push_str(&format!("{space}  isolate: {}\n", names(isolate.value())));
    }
    if row.is_group {
        document.push_str(&format!("{space}  rows:{}\n", if rows.is_empty() { " []" } else { "" }));
    }
    for tree in rows {
        if origin(tree.row) != origin(row) {
            document.push_str(&format!("{space}    # == {}\n", origin_words(tree.row, "")));
        }
        append_row(document, tree, indent + 4);
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
    let isolate = givers(row.isolate.as_ref(), |keys| names(keys));
    let mut patched: Vec<&str> = Vec::new();
    for file in plugin.into_iter().chain(givers(row.config.as_ref(), config)).chain(givers(row.disabled.as_ref(), switch)).chain(isolate) {
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

/// The document as it can be kept in a file; rows of presets stand in comments, since a patch list holds none.
impl Display for Document {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let aliases = if self.aliases.is_empty() { String::new() } else { format!(" (also called {})", self.aliases.join(", ")) };
        write!(out, "# profile {}{aliases}, composition {}\n\n{}", self.profile, self.digest, self.document)?;
        for PresetDocument { name, document } in &self.presets {
            write!(out, "\n# the patch of preset {name}:\n#\n")?;
            for line in document.lines() {
                writeln!(out, "# {line}")?;
            }
        }
        Ok(())
    }
}

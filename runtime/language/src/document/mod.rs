//! Rows as one document: a patch list that loads again, with comments that say where its rows came from. What the compiler shows of a
//! profile and what a binary shows of itself is the same document.

mod provenance;
mod yaml;

pub use provenance::Provenance;
pub use yaml::{append_value, expression, inline, key_text};

use crate::load::{Named, Switch};
use crate::resolve::Row;

/// The rows as a patch list in YAML. Expressions stand as they were written, defaults are not filled in. Neighbours that the same files
/// gave are one insert, under a comment that names the files.
#[must_use]
pub fn document(rows: &[Row], provenance: impl Fn(&Row) -> Provenance) -> String {
    let mut document = String::new();
    let trees = trees(rows, &provenance);
    for run in trees.chunk_by(|tree, next| tree.origin == next.origin) {
        append_run(&mut document, run);
    }
    if rows.is_empty() {
        document.push_str("[]\n");
    }
    document
}

/// A document with the rows of presets in comments, since a patch list holds none.
#[must_use]
pub fn with_presets<'a>(document: &str, presets: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut text = document.to_owned();
    for (name, document) in presets {
        text.push_str(&format!("\n# the patch of preset {name}:\n#\n"));
        document.lines().for_each(|line| text.push_str(&format!("# {line}\n")));
    }
    text
}

/// A row with where it came from and what it holds.
struct Tree<'a> {
    row: &'a Row,
    origin: Provenance,
    rows: Vec<Tree<'a>>,
}

fn trees<'a>(rows: &'a [Row], provenance: &impl Fn(&Row) -> Provenance) -> Vec<Tree<'a>> {
    let Some(depth) = rows.first().map(|row| row.depth) else { return Vec::new() };
    let runs = rows.chunk_by(|_, next| next.depth > depth).filter_map(|run| run.split_first());
    runs.map(|(row, inside)| Tree { row, origin: provenance(row), rows: trees(inside, provenance) }).collect()
}

fn append_run(document: &mut String, run: &[Tree<'_>]) {
    let [first, rest @ ..] = run else { return };
    let last = rest.last().map(|tree| format!(" to #{}", tree.row.id.text)).unwrap_or_default();
    if !document.is_empty() {
        document.push('\n');
    }
    document.push_str(&format!("# == {}\n- insert:\n", first.words(&last)));
    for tree in run {
        tree.append(document, 4);
    }
}

impl Tree<'_> {
    /// `file#row`, and who patched it.
    fn words(&self, last: &str) -> String {
        let Provenance { inserted, patched } = &self.origin;
        let patched = if patched.is_empty() { String::new() } else { format!(", patched by {}", patched.join(", ")) };
        format!("{inserted}#{}{last}{patched}", self.row.id.text)
    }

    fn append(&self, document: &mut String, indent: usize) {
        let (row, space) = (self.row, " ".repeat(indent));
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
            document.push_str(&format!("{space}  rows:{}\n", if self.rows.is_empty() { " []" } else { "" }));
        }
        for tree in &self.rows {
            if tree.origin != self.origin {
                document.push_str(&format!("{space}    # == {}\n", tree.words("")));
            }
            tree.append(document, indent + 4);
        }
    }
}

/// `isolate` in YAML.
#[must_use]
pub fn names(keys: &[Named]) -> String {
    let keys: Vec<String> = keys.iter().map(|key| yaml::plain(&key.text)).collect();
    format!("[{}]", keys.join(", "))
}

/// `disabled` in YAML.
#[must_use]
pub fn switch(switch: &Switch) -> String {
    match switch {
        Switch::Literal(value) => value.to_string(),
        Switch::Expression(text) => expression(text),
        Switch::Unknown => "unreadable".to_owned(),
    }
}

/// A document's first line: of which profile it is, and what it composes to.
#[must_use]
pub fn title(profile: &str, aliases: &[impl AsRef<str>], digest: &str) -> String {
    let aliases: Vec<&str> = aliases.iter().map(AsRef::as_ref).collect();
    let aliases = if aliases.is_empty() { String::new() } else { format!(" (also called {})", aliases.join(", ")) };
    format!("# profile {profile}{aliases}, composition {digest}\n\n")
}

/// The first line of a document of what a profile's bundles alone give.
#[must_use]
pub fn default_title(profile: &str) -> String {
    format!("# profile {profile}, its bundles alone\n\n")
}

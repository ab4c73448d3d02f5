//! Rows as one document: a patch list that loads again, with comments that say where its rows came from. What the compiler shows of a
//! profile and what a binary shows of itself is the same document.

mod provenance;
mod yaml;

pub use provenance::Provenance;
pub use yaml::{expression, inline};

use yaml::append_value;

use crate::load::Switch;
use crate::resolve::Row;

/// The rows as a patch list in YAML. Expressions stand as they were written, defaults are not filled in. Neighbours of the outermost level
/// that the same files gave are one insert, under a comment that names the files.
#[must_use]
pub fn document(rows: &[Row], provenance: impl Fn(&Row) -> Provenance) -> String {
    let mut document = String::new();
    let mut run: Option<Provenance> = None;
    let blocks: Vec<&[Row]> = blocks(rows).collect();
    for (at, block) in blocks.iter().enumerate() {
        let origin = of_block(block, &provenance);
        if run.as_ref() != Some(&origin) {
            let length = blocks[at..].iter().take_while(|next| of_block(next, &provenance) == origin).count();
            append_header(&mut document, &origin, &block[0].id.text, (length > 1).then(|| blocks[at + length - 1][0].id.text.as_str()));
        }
        append_block(&mut document, block, 4);
        run = Some(origin);
    }
    if rows.is_empty() {
        document.push_str("[]\n");
    }
    document
}

/// Rows of the level of the first one, each with the rows inside it.
fn blocks(rows: &[Row]) -> impl Iterator<Item = &[Row]> {
    let depth = rows.first().map_or(0, |row| row.depth);
    rows.chunk_by(move |_, next| next.depth > depth)
}

/// Where a row and those inside it came from: what another file put into a group patches the group.
fn of_block(block: &[Row], provenance: &impl Fn(&Row) -> Provenance) -> Provenance {
    let mut inside = block.iter().map(provenance);
    let mut found = inside.next().unwrap_or_default();
    for row in inside {
        found.patched_by(row.inserted);
        row.patched.into_iter().for_each(|file| found.patched_by(file));
    }
    found
}

fn append_header(document: &mut String, origin: &Provenance, first: &str, last: Option<&str>) {
    if !document.is_empty() {
        document.push('\n');
    }
    let last = last.map(|last| format!(" to #{last}")).unwrap_or_default();
    let patched = if origin.patched.is_empty() { String::new() } else { format!(", patched by {}", origin.patched.join(", ")) };
    document.push_str(&format!("# == {}#{first}{last}{patched}\n- insert:\n", origin.inserted));
}

/// A row, and the rows inside it when it is a group.
fn append_block(document: &mut String, block: &[Row], indent: usize) {
    let [row, inside @ ..] = block else { return };
    let (item, key) = (" ".repeat(indent), " ".repeat(indent + 2));
    document.push_str(&format!("{item}- id: {}\n", row.id.text));
    if let Some(plugin) = row.plugin_name() {
        document.push_str(&format!("{key}plugin: {plugin}\n"));
    }
    if let Some(config) = &row.config {
        document.push_str(&format!("{key}config:"));
        append_value(document, config.value(), indent + 4);
    }
    if let Some(disabled) = &row.disabled {
        document.push_str(&format!("{key}disabled: {}\n", switch(disabled.value())));
    }
    if let Some(isolate) = &row.isolate {
        let keys: Vec<String> = isolate.value().iter().map(|key| yaml::plain(&key.text)).collect();
        document.push_str(&format!("{key}isolate: [{}]\n", keys.join(", ")));
    }
    if row.is_group && inside.is_empty() {
        document.push_str(&format!("{key}rows: []\n"));
    } else if row.is_group {
        document.push_str(&format!("{key}rows:\n"));
        blocks(inside).for_each(|block| append_block(document, block, indent + 4));
    }
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

//! Crates and what they depend on.

use serde::Serialize;

use super::content::Content;
use super::page::{code, code_list, table};
use super::subject::Subject;
use crate::inventory::Component;

#[derive(Serialize)]
struct Entry<'a> {
    #[serde(rename = "crate")]
    name: &'a str,
    version: &'a str,
    licence: Option<&'a str>,
    /// `workspace`, `registry`, or the repository.
    origin: &'a str,
    /// The plugin that it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    plugin: Option<&'a str>,
    needs: Vec<&'a str>,
}

pub(super) fn content(subject: &Subject<'_>) -> Content {
    let components = &subject.inventory.components;
    let entries: Vec<Entry<'_>> = components.iter().map(|component| entry(component, subject)).collect();
    let cells = |entry: &Entry<'_>| {
        let licence = entry.licence.unwrap_or("–").to_owned();
        [code(entry.name), entry.version.to_owned(), licence, entry.origin.to_owned(), code_list(&entry.needs)]
    };
    let body = table(["crate", "version", "licence", "from", "needs"], entries.iter().map(cells));
    let about = match subject.plan {
        Some(_) => "The crates that the binary is linked from. Macros and what only they need run at build time and are not among them.",
        None => {
            "The crates that the binaries of all plugins together are linked from. Macros and what only they need run at build time and are not among them."
        }
    };
    Content::new("Crates", about, &entries, body)
}

fn entry<'a>(component: &'a Component, subject: &Subject<'a>) -> Entry<'a> {
    let plugin = subject.users.iter().find(|user| user.plugin.declared.id.package == component.name);
    Entry {
        name: &component.name,
        version: &component.version,
        licence: component.licence.as_deref(),
        origin: component.origin.word(),
        plugin: plugin.map(|user| user.plugin.name.as_str()),
        needs: component.needs.iter().map(|place| subject.inventory.components[*place].name.as_str()).collect(),
    }
}

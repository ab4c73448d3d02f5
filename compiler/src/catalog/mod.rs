//! Catalogs: what plugins declare and profiles compose, as a page for people and as JSON for programs. Pure: the same declarations and the
//! same plan give the same bytes. One pair of files for each kind of declaration, for the workspace and for every profile that it ships.

mod commands;
mod complete;
mod config;
mod content;
mod crates;
mod declared;
mod described;
mod events;
mod hosts;
mod invariants;
mod page;
mod persistence;
mod prompt;
mod reached;
pub(crate) mod rules;
mod services;
mod session_events;
mod subject;
mod tools;

use std::collections::BTreeMap;

pub(crate) use complete::check;
pub(crate) use described::Described;
pub(crate) use subject::Subject;

use content::Content;

/// The folder of the catalogs in a folder of generated files, and in that of a profile.
pub(crate) const FOLDER: &str = "catalogs";

const PROMPT: &str = "prompt.json";
const TOOLS: &str = "tools.json";

/// A catalog: the names of its files, and what makes its content.
struct Catalog {
    page: &'static str,
    data: &'static str,
    content: fn(&Subject<'_>) -> Content,
}

/// All of them.
const CATALOGS: [Catalog; 11] = [
    Catalog { page: "commands.md", data: "commands.json", content: commands::content },
    Catalog { page: "config.md", data: "config.json", content: config::content },
    Catalog { page: "crates.md", data: "crates.json", content: crates::content },
    Catalog { page: "events.md", data: "events.json", content: events::content },
    Catalog { page: "hosts.md", data: "hosts.json", content: hosts::content },
    Catalog { page: "invariants.md", data: "invariants.json", content: invariants::content },
    Catalog { page: "persistence.md", data: "persistence.json", content: persistence::content },
    Catalog { page: "prompt.md", data: PROMPT, content: prompt::content },
    Catalog { page: "services.md", data: "services.json", content: services::content },
    Catalog { page: "session-events.md", data: "session-events.json", content: session_events::content },
    Catalog { page: "tools.md", data: TOOLS, content: tools::content },
];

/// The texts of all catalogs by file name.
pub(crate) fn catalogs(subject: &Subject<'_>) -> BTreeMap<&'static str, String> {
    let files = |catalog: &Catalog| {
        let content = (catalog.content)(subject);
        [(catalog.page, content.page(subject)), (catalog.data, content.data(subject))]
    };
    CATALOGS.iter().flat_map(files).collect()
}

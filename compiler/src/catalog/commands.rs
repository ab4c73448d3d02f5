//! Commands: the verbs of a binary.

use serde::Serialize;

use super::content::Content;
use super::page::{code, table};
use super::subject::{Subject, User};

#[derive(Serialize)]
struct Entry<'a> {
    command: &'a str,
    /// Plugin, or row of the profile.
    user: &'a str,
    meaning: &'a str,
}

pub(super) fn content(subject: &Subject<'_>) -> Content {
    let mut entries: Vec<Entry<'_>> = subject.users.iter().flat_map(entries).collect();
    entries.sort_by_key(|entry| (entry.command, entry.user));
    let cells = |entry: &Entry<'_>| [code(entry.command), code(entry.user), entry.meaning.to_owned()];
    let body = table(["command", subject.user_word(), "meaning"], entries.iter().map(cells));
    let about = "Verbs of a binary, besides `inspect` and `licenses`, which each has. `BIN VERB --help` tells the words after a verb.";
    Content::new("Commands", about, &entries, body)
}

fn entries<'a>(user: &User<'a>) -> impl Iterator<Item = Entry<'a>> {
    let name = user.name;
    user.plugin.declared.decl.verbs.iter().map(move |verb| Entry { command: &verb.verb.value, user: name, meaning: &verb.about.value })
}

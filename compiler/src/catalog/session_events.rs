//! Session events: what a log may hold.

use serde::Serialize;

use super::content::Content;
use super::declared::type_words;
use super::page::{code, or_dash, table};
use super::subject::Subject;
use crate::plan::{Word, digest_of, vocabulary};

#[derive(Serialize)]
struct Entry<'a> {
    event: &'a str,
    /// Its type, as `package::Type`.
    id: String,
    /// Package that declares it.
    owner: &'a str,
    /// Whether it takes a position in the list that the model sees.
    surface: bool,
    /// Whether a reader must know it; one that need not may be passed over.
    required: bool,
    /// Digest of its form.
    digest: String,
    meaning: &'a str,
    fields: Vec<Field<'a>>,
}

#[derive(Serialize)]
struct Field<'a> {
    /// Its key; none where the event's data is this value itself.
    key: Option<&'a str>,
    r#type: String,
    optional: bool,
    meaning: &'a str,
}

pub(super) fn content(subject: &Subject<'_>) -> Content {
    let words = vocabulary(subject.index, &subject.packages);
    let digest = digest_of(&words);
    let entries: Vec<Entry<'_>> = words.iter().map(entry).collect();
    let about = format!(
        "What a log may hold. A reader that does not know an event refuses the log, unless the event may be passed over. The vocabulary's digest \
         is `{digest}`; it stands in the header of each log, with a digest of every event."
    );
    let shown = words.iter().map(|word| word.event.id.clone());
    Content::new("Session events", about, &entries, entries.iter().map(section).collect()).with("vocabulary", digest).showing(shown)
}

fn entry<'a>(word: &Word<'a>) -> Entry<'a> {
    let (id, decl) = (&word.event.id, &word.event.decl);
    let fields = decl.fields.iter().map(|field| Field {
        key: field.key.as_deref(),
        r#type: type_words(&field.ty),
        optional: field.optional,
        meaning: &field.doc,
    });
    Entry {
        event: &decl.event.value,
        id: id.to_string(),
        owner: &id.package,
        surface: decl.surface,
        required: !decl.ignorable,
        digest: word.short(),
        meaning: &decl.doc,
        fields: fields.collect(),
    }
}

fn section(entry: &Entry<'_>) -> String {
    let surface = if entry.surface { ", seen by the model" } else { "" };
    let required = if entry.required { "a reader must know it" } else { "a reader may pass over it" };
    let cells = |field: &Field<'_>| {
        let key = field.key.map_or_else(|| "the data itself".to_owned(), code);
        let optional = if field.optional { ", may be absent" } else { "" };
        [key, format!("{}{optional}", code(&field.r#type)), or_dash(field.meaning)]
    };
    let fields = table(["member", "type", "meaning"], entry.fields.iter().map(cells));
    let fields = if fields.is_empty() { "It has no members.\n" } else { &fields };
    format!("## `{}`\n\n{} Of `{}`; {required}{surface}; form `{}`.\n\n{fields}\n", entry.event, entry.meaning, entry.owner, entry.digest)
}

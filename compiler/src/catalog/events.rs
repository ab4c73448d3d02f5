//! Events: how each is dispatched, by whom, and who hears it in which order.

use dsh_declare::model::{EventDecl, Failure, Mode, Position};
use serde::Serialize;

use super::content::Content;
use super::declared::type_words;
use super::page::{code, code_list, first_paragraph, table};
use super::subject::{Subject, User};
use crate::index::{Declared, ItemId, WantKind};

#[derive(Serialize)]
struct Entry<'a> {
    event: &'a str,
    /// Its type, as `package::Type`.
    id: String,
    mode: &'static str,
    /// What a failing listener does.
    failure: &'static str,
    /// Whether a listener may run what is inside it more than once.
    repeatable: bool,
    /// Package that declares it.
    owner: &'a str,
    /// Whether agents hear only what concerns them.
    scoped: bool,
    payload: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    meaning: &'a str,
    dispatchers: Vec<&'a str>,
    /// In the order in which they run.
    listeners: Vec<Listener<'a>>,
}

#[derive(Serialize)]
struct Listener<'a> {
    user: &'a str,
    /// `first`, `row` or `last`.
    position: &'static str,
}

pub(super) fn content(subject: &Subject<'_>) -> Content {
    let events = subject.index.events.values().filter(|event| subject.packages.contains(event.id.package.as_str()));
    let entries = events.map(|event| entry(event, subject));
    let mut entries: Vec<Entry<'_>> =
        entries.filter(|entry| subject.plan.is_none() || !entry.dispatchers.is_empty() || !entry.listeners.is_empty()).collect();
    entries.sort_by_key(|entry| entry.event);
    let order = if subject.plan.is_some() {
        "in the order in which they run"
    } else {
        "by position; in a profile the order of its rows decides among those of one position"
    };
    let about = format!("Events within a process; they are not stored. Listeners stand {order}.");
    let shown = subject.index.events.keys().filter(|event| subject.packages.contains(event.package.as_str())).cloned();
    Content::new("Events", about, &entries, body(&entries)).showing(shown)
}

fn entry<'a>(event: &'a Declared<EventDecl>, subject: &'a Subject<'_>) -> Entry<'a> {
    let decl = &event.decl;
    let dispatches = |user: &&User<'_>| user.plugin.wants.iter().any(|want| want.kind == WantKind::Dispatch(event.id.clone()));
    Entry {
        event: &decl.event.value,
        id: event.id.to_string(),
        mode: mode(decl.mode),
        failure: failure(decl),
        repeatable: decl.repeatable,
        owner: &event.id.package,
        scoped: decl.scope.is_some(),
        payload: type_words(&decl.payload),
        result: decl.out.as_ref().map(type_words),
        meaning: &decl.doc,
        dispatchers: subject.users.iter().filter(dispatches).map(|user| user.name).collect(),
        listeners: listeners(&event.id, subject),
    }
}

fn listeners<'a>(event: &ItemId, subject: &Subject<'a>) -> Vec<Listener<'a>> {
    let heard = |user: &User<'a>| {
        let listen = user.plugin.listens.iter().find(|listen| listen.event == *event)?;
        Some((listen.position, user.name))
    };
    let mut heard: Vec<(Position, &str)> = subject.users.iter().filter_map(heard).collect();
    // Users stand in the order of rows; a sort that is stable keeps it.
    heard.sort_by_key(|(position, _)| *position);
    let listener = |(position, user)| Listener {
        user,
        position: match position {
            Position::First => "first",
            Position::Row => "row",
            Position::Last => "last",
        },
    };
    heard.into_iter().map(listener).collect()
}

fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Emit => "emit",
        Mode::Parallel => "parallel",
        Mode::Serial => "serial",
        Mode::Waterfall => "waterfall",
    }
}

fn failure(decl: &EventDecl) -> &'static str {
    match (decl.mode, decl.failure) {
        (Mode::Emit, Failure::Contained) => "contained",
        (Mode::Emit, Failure::Veto) => "veto",
        (Mode::Parallel | Mode::Serial | Mode::Waterfall, _) => "reaches the dispatcher",
    }
}

fn body(entries: &[Entry<'_>]) -> String {
    let listener = |listener: &Listener<'_>| match listener.position {
        "row" => code(listener.user),
        position => format!("{} ({position})", code(listener.user)),
    };
    let listeners = |entry: &Entry<'_>| match entry.listeners.as_slice() {
        [] => "–".to_owned(),
        all => all.iter().map(listener).collect::<Vec<_>>().join(", "),
    };
    let cells = |entry: &Entry<'_>| {
        let repeatable = if entry.repeatable { ", repeatable" } else { "" };
        [
            code(entry.event),
            first_paragraph(entry.meaning),
            format!("{}{repeatable}", entry.mode),
            entry.failure.to_owned(),
            code(entry.owner),
            code_list(&entry.dispatchers),
            listeners(entry),
        ]
    };
    table(["event", "meaning", "mode", "a failure", "owner", "dispatched by", "heard by"], entries.iter().map(cells))
}

//! Invariants: relationships that are checked while an agent runs.

use serde::Serialize;

use super::content::Content;
use super::page::{code, table};
use super::subject::{Subject, User};
use crate::index::{ItemId, RUNTIME};

#[derive(Serialize)]
struct Entry<'a> {
    /// Package that owns the rule; lists of the registry name it.
    package: &'a str,
    /// Plugin, or row of the profile.
    user: &'a str,
    invariant: &'a str,
}

pub(super) fn content(subject: &Subject<'_>) -> Content {
    let entries: Vec<Entry<'_>> = subject.users.iter().flat_map(entries).collect();
    let cells = |entry: &Entry<'_>| [entry.invariant.to_owned(), code(entry.user), code(entry.package)];
    let body = table(["invariant", subject.user_word(), "package"], entries.iter().map(cells));
    let is_registry = |user: &&User<'_>| user.plugin.provides.iter().any(|service| *service == registry());
    let registries: Vec<&str> = subject.users.iter().filter(is_registry).map(|user| user.name).collect();
    let about = match (subject.plan, registries.as_slice()) {
        (Some(_), []) => "Relationships that plugins own. Nothing checks them here: no row is a registry of invariants.".to_owned(),
        (Some(_), rows) => format!("Relationships that plugins own; row `{}` decides which are checked.", rows.join("`, `")),
        (None, _) => "Relationships that plugins own; they are checked in profiles with a registry of invariants.".to_owned(),
    };
    Content::new("Invariants", about, &entries, body).with("checked", subject.plan.is_some() && !registries.is_empty())
}

fn entries<'a>(user: &User<'a>) -> impl Iterator<Item = Entry<'a>> {
    let (name, declared) = (user.name, &user.plugin.declared);
    declared.decl.invariants.iter().map(move |rule| Entry { package: &declared.id.package, user: name, invariant: &rule.value })
}

/// The service by which the runtime knows the registry.
fn registry() -> ItemId {
    ItemId { package: RUNTIME.to_owned(), name: "Invariants".to_owned() }
}

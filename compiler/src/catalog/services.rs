//! Services and seams: what each is, who provides it and who takes it.

use dsh_declare::model::{ServiceDecl, ServiceKind};
use serde::Serialize;

use super::content::Content;
use super::page::{code, code_list, first_paragraph, table};
use super::subject::{Subject, User};
use crate::check::tool_registry;
use crate::index::{Declared, ItemId, WantKind};

#[derive(Serialize)]
struct Entry<'a> {
    service: &'a str,
    /// Its type, as `package::Type`.
    id: String,
    /// `trait`, which several plugins may provide, or `type`, which is its one provider.
    kind: &'static str,
    meaning: &'a str,
    providers: Vec<&'a str>,
    consumers: Vec<Consumer<'a>>,
    /// The roles that nobody has.
    lacks: Vec<&'static str>,
}

#[derive(Serialize)]
struct Consumer<'a> {
    user: &'a str,
    /// `requires`, `takes where it is there`, or `has tools for it`.
    how: &'static str,
}

pub(super) fn content(subject: &Subject<'_>) -> Content {
    let services = subject.index.services.values().filter(|service| subject.packages.contains(service.id.package.as_str()));
    let entries = services.map(|service| entry(service, subject));
    // Of a profile: what its rows have to do with.
    let mut entries: Vec<Entry<'_>> =
        entries.filter(|entry| subject.plan.is_none() || !entry.providers.is_empty() || !entry.consumers.is_empty()).collect();
    entries.sort_by_key(|entry| entry.service);
    let about = format!(
        "Who provides and who takes each service. What stands in parentheses takes it only where it is there. A {} with tools is a consumer of their registry.",
        subject.user_word()
    );
    let injects = subject.users.iter().filter_map(|user| user.plugin.inject.clone());
    let services = subject.index.services.keys().filter(|service| subject.packages.contains(service.package.as_str())).cloned();
    Content::new("Services and seams", about, &entries, body(&entries)).showing(services.chain(injects))
}

fn entry<'a>(service: &'a Declared<ServiceDecl>, subject: &'a Subject<'_>) -> Entry<'a> {
    let providers: Vec<&str> =
        subject.users.iter().filter(|user| user.plugin.provides.contains(&service.id)).map(|user| user.name).collect();
    let consumers: Vec<Consumer<'_>> =
        subject.users.iter().filter_map(|user| Some(Consumer { user: user.name, how: how(user, &service.id)? })).collect();
    let roles = [("provider", providers.is_empty()), ("consumer", consumers.is_empty())];
    Entry {
        service: &service.decl.key.value,
        id: service.id.to_string(),
        kind: match service.decl.kind {
            ServiceKind::Trait => "trait",
            ServiceKind::Concrete => "type",
        },
        meaning: &service.decl.doc,
        lacks: roles.into_iter().filter(|(_, lacks)| *lacks).map(|(role, _)| role).collect(),
        providers,
        consumers,
    }
}

fn how(user: &User<'_>, service: &ItemId) -> Option<&'static str> {
    let wants = |kind: &WantKind| user.plugin.wants.iter().any(|want| want.kind == *kind);
    if wants(&WantKind::Required(service.clone())) {
        Some("requires")
    } else if *service == tool_registry() && !user.plugin.declared.decl.tools.is_empty() {
        Some("has tools for it")
    } else {
        wants(&WantKind::Optional(service.clone())).then_some("takes where it is there")
    }
}

fn body(entries: &[Entry<'_>]) -> String {
    let consumer = |consumer: &Consumer<'_>| match consumer.how {
        "takes where it is there" => format!("({})", code(consumer.user)),
        _ => code(consumer.user),
    };
    let consumers = |entry: &Entry<'_>| match entry.consumers.as_slice() {
        [] => "–".to_owned(),
        all => all.iter().map(consumer).collect::<Vec<_>>().join(", "),
    };
    let cells = |entry: &Entry<'_>| {
        [code(entry.service), first_paragraph(entry.meaning), code(&entry.id), code_list(&entry.providers), consumers(entry)]
    };
    let all = table(["service", "meaning", "definition", "providers", "consumers"], entries.iter().map(cells));
    let lacking: Vec<String> = entries
        .iter()
        .filter(|entry| !entry.lacks.is_empty())
        .map(|entry| format!("- {} has no {}.\n", code(entry.service), entry.lacks.join(" and no ")))
        .collect();
    if lacking.is_empty() { all } else { format!("{all}\n## Seams that lack a role\n\n{}", lacking.concat()) }
}

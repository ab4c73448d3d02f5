//! What plugins reach outside of the process, with the values of a profile in the place of fields.

use dsh_declare::model::ReachDecl;
use serde::Serialize;

use super::declared::value_words;
use super::page::{code, table};
use super::subject::{Subject, User};
use crate::index::Index;
use crate::plan::target;

#[derive(Serialize)]
pub(super) struct Reached<'a> {
    /// What is reached; `{field}` stands for a config field, and in a profile for its value where that is known before a start.
    target: String,
    /// Plugin, or row of the profile.
    user: &'a str,
    plugin: &'a str,
    meaning: &'a str,
    /// The fields that the target names and the values that the profile has for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<Named>,
}

#[derive(Serialize)]
struct Named {
    field: String,
    value: String,
}

/// Of all that take part.
pub(super) fn reached<'a>(subject: &Subject<'a>, of: fn(&User<'a>) -> &'a [ReachDecl]) -> Vec<Reached<'a>> {
    subject.users.iter().flat_map(|user| of(user).iter().filter_map(|decl| one(user, decl, subject.index))).collect()
}

/// `None` where the config has a field empty, so that nothing is reached.
fn one<'a>(user: &User<'a>, decl: &'a ReachDecl, index: &Index) -> Option<Reached<'a>> {
    let target = target(decl, user.config())?;
    let value = |field: &str| user.config().and_then(|config| config.fields.iter().find(|(name, _)| name == field));
    let open = decl.fields().filter(|field| target.contains(&format!("{{{field}}}")));
    let named = open.filter_map(|field| Some(Named { field: field.to_owned(), value: value_words(&value(field)?.1, index) }));
    Some(Reached { fields: named.collect(), target, user: user.name, plugin: &user.plugin.name, meaning: &decl.meaning.value })
}

/// A table of them.
pub(super) fn reached_table(what: &str, entries: &[Reached<'_>], subject: &Subject<'_>) -> String {
    let cells = |entry: &Reached<'_>| {
        let values = entry.fields.iter().map(|named| format!("; `{{{}}}` is {}", named.field, code(&named.value)));
        [code(&entry.target), code(entry.user), format!("{}{}", entry.meaning, values.collect::<String>())]
    };
    table([what, subject.user_word(), "meaning"], entries.iter().map(cells))
}

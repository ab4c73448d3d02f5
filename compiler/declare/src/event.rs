//! `#[event(name = "…", mode = …, …)]` on a unit struct.

use proc_macro2::{Ident, TokenStream};
use syn::{Fields, Item, ItemStruct, Path, Type};

use crate::arguments::{read_arguments, text, unknown_key, value, word};
use crate::digest::item_digest;
use crate::item::{doc, refuse_cfg, refuse_generics};
use crate::model::{EventDecl, Failure, Mode, Text};
use crate::problems::{Parsed, Problems};

const KEYS: [&str; 7] = ["name", "mode", "payload", "out", "failure", "scope", "repeatable"];
const MODES: [(&str, Mode); 4] =
    [("emit", Mode::Emit), ("parallel", Mode::Parallel), ("serial", Mode::Serial), ("waterfall", Mode::Waterfall)];
const FAILURES: [(&str, Failure); 2] = [("contained", Failure::Contained), ("veto", Failure::Veto)];

#[derive(Default)]
struct Arguments {
    name: Option<Text>,
    mode: Option<Mode>,
    payload: Option<Type>,
    out: Option<Type>,
    failure: Option<(Ident, Failure)>,
    scope: Option<Path>,
    repeatable: Option<Ident>,
}

/// Reads an event from the attribute's arguments and the item below it.
#[must_use]
pub fn parse(arguments: TokenStream, item: &Item) -> Parsed<EventDecl> {
    let mut problems = Problems::default();
    let digest = item_digest("event", &arguments, item);
    let (given, named) = read(arguments, &mut problems);
    let Item::Struct(item) = item else {
        problems.at(item, "`#[event]` stands on a unit struct, such as `pub struct ToolsPreExecute;`");
        return Parsed::new(None, problems);
    };
    for key in ["name", "mode", "payload"].into_iter().filter(|key| !named.iter().any(|named| named == key)) {
        problems.at(&item.ident, format!("an event states its `{key}`: `{key} = …`"));
    }
    check_item(item, &mut problems);
    check_mode(&given, &item.ident, &mut problems);
    let (Some(event), Some(mode), Some(payload)) = (given.name, given.mode, given.payload) else {
        return Parsed::new(None, problems);
    };
    let decl = EventDecl {
        name: item.ident.clone(),
        event,
        mode,
        payload,
        out: given.out,
        failure: given.failure.map_or(Failure::Contained, |(_, failure)| failure),
        scope: given.scope,
        repeatable: given.repeatable.is_some(),
        doc: doc(&item.attrs),
        digest,
    };
    Parsed::new(Some(decl), problems)
}

/// The arguments, and the keys that are there, even those whose value could not be read.
fn read(arguments: TokenStream, problems: &mut Problems) -> (Arguments, Vec<String>) {
    let mut given = Arguments::default();
    let mut named = Vec::new();
    read_arguments(arguments, problems, |key, input| {
        named.push(key.to_string());
        match key.to_string().as_str() {
            "name" => text(input).and_then(event_name).map(|name| given.name = Some(name)),
            "mode" => word(input, &MODES).map(|mode| given.mode = Some(mode)),
            "payload" => value(input).map(|payload| given.payload = Some(payload)),
            "out" => value(input).map(|out| given.out = Some(out)),
            "failure" => word(input, &FAILURES).map(|failure| given.failure = Some((key.clone(), failure))),
            "scope" => value(input).map(|scope| given.scope = Some(scope)),
            "repeatable" => {
                given.repeatable = Some(key.clone());
                Ok(())
            }
            _ => Err(unknown_key(key, &KEYS)),
        }
    });
    (given, named)
}

/// Names have the form `group/verb`, words in kebab-case; more than one `/` is fine.
pub(crate) fn event_name(name: Text) -> Result<Text, syn::Error> {
    let word =
        |word: &str| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-');
    if name.value.contains('/') && name.value.split('/').all(word) {
        Ok(name)
    } else {
        Err(syn::Error::new(name.span, format!("`{}` is not an event's name: expected `group/verb` in kebab-case", name.value)))
    }
}

fn check_item(item: &ItemStruct, problems: &mut Problems) {
    if !matches!(item.fields, Fields::Unit) {
        problems.at(&item.fields, "an event is a unit struct: what listeners receive is its `payload`");
    }
    refuse_generics(&item.generics, problems);
    refuse_cfg(&item.attrs, problems);
}

fn check_mode(given: &Arguments, name: &Ident, problems: &mut Problems) {
    let Some(mode) = given.mode else { return };
    if mode == Mode::Waterfall && given.out.is_none() {
        problems.at(name, "a waterfall states the type of its result: `out = …`");
    }
    if mode != Mode::Waterfall {
        if let Some(out) = &given.out {
            problems.at(out, "only a waterfall has a result");
        }
        if let Some(flag) = &given.repeatable {
            problems.at(flag, "only a waterfall is repeatable");
        }
    }
    if let (Some((key, _)), false) = (&given.failure, mode == Mode::Emit) {
        problems.at(key, "only `mode = emit` states what a failing listener does: in other modes its failure reaches the dispatcher");
    }
}

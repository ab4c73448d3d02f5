//! `#[session_event(name = "…")]` on the data of an event in the session log.

use proc_macro2::TokenStream;
use syn::Item;

use crate::arguments::{read_arguments, text, unknown_key};
use crate::digest::item_digest;
use crate::event::event_name;
use crate::item::{doc, refuse_cfg, refuse_generics};
use crate::model::SessionEventDecl;
use crate::problems::{Parsed, Problems};
use crate::session_field::session_fields;

/// Reads a session event from the attribute's arguments and the item below it.
#[must_use]
pub fn parse(arguments: TokenStream, item: &Item) -> Parsed<SessionEventDecl> {
    let mut problems = Problems::default();
    let digest = item_digest("session_event", &arguments, item);
    let (mut event, mut surface, mut ignorable, mut named) = (None, false, false, false);
    read_arguments(arguments, &mut problems, |key, input| {
        match key.to_string().as_str() {
            "name" => {
                named = true;
                event = Some(text(input).and_then(event_name)?);
            }
            "surface" => surface = true,
            "ignorable" => ignorable = true,
            _ => return Err(unknown_key(key, &["name", "surface", "ignorable"])),
        }
        Ok(())
    });
    let Item::Struct(item) = item else {
        problems.at(item, "`#[session_event]` stands on a struct");
        return Parsed::new(None, problems);
    };
    refuse_generics(&item.generics, &mut problems);
    refuse_cfg(&item.attrs, &mut problems);
    if !named {
        problems.at(&item.ident, "a session event states its name: `#[session_event(name = \"…\")]`");
    }
    let decl = event.map(|event| SessionEventDecl {
        name: item.ident.clone(),
        event,
        surface,
        ignorable,
        fields: session_fields(item),
        doc: doc(&item.attrs),
        digest,
    });
    Parsed::new(decl, problems)
}

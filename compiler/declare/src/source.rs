//! Finds the declarations of a source file, as the compiler reads it.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Error, File, Item, Meta, Path, Token};

use crate::digest::empty_bodies;
use crate::item::is_cfg;
use crate::model::Declaration;
use crate::problems::{Parsed, Problems};
use crate::{config, event, hidden, inject, plugin, service, session_event, tool_args};

pub(crate) const IN_FUNCTION: &str = "a declaration cannot stand in a function: it belongs at module level";

/// The declarations of a parsed file at module level, inline modules included, and every problem of theirs.
///
/// An attribute is known by the last segment of its path. What stands under `cfg(test)` is passed over, because no binary
/// has it; a declaration under another `cfg` or `cfg_attr`, inside a function or inside a macro is a problem.
#[must_use]
pub fn declarations(mut file: File) -> (Vec<Declaration>, Vec<Error>) {
    let mut found = Found::default();
    found.items(&mut file.items);
    (found.declarations, found.errors)
}

#[derive(Default)]
struct Found {
    declarations: Vec<Declaration>,
    errors: Vec<Error>,
    conditional: bool,
}

impl Found {
    fn items(&mut self, items: &mut [Item]) {
        for item in items {
            if attributes(item).iter().any(is_cfg_test) {
                continue;
            }
            self.refuse_hidden(attributes(item));
            match item {
                Item::Macro(item) => self.refuse_in_macro(&item.mac.tokens),
                Item::Mod(module) => {
                    let outer = self.conditional;
                    self.conditional |= module.attrs.iter().any(is_cfg);
                    if let Some((_, items)) = &mut module.content {
                        self.items(items);
                    }
                    self.conditional = outer;
                }
                _ => {
                    let mut in_bodies = Vec::new();
                    Bodies { errors: &mut in_bodies }.visit_item(item);
                    // The grammar does not look into bodies, which are most of what would be copied.
                    empty_bodies(item);
                    self.item(item);
                    self.errors.extend(in_bodies);
                }
            }
        }
    }

    fn refuse_hidden(&mut self, attributes: &[Attribute]) {
        for attribute in attributes.iter().filter(|attribute| hidden::behind_cfg_attr(attribute)) {
            let message = "a declaration cannot depend on `cfg`: it is read from source for every target";
            self.errors.push(Error::new_spanned(attribute, message));
        }
    }

    fn refuse_in_macro(&mut self, tokens: &TokenStream) {
        for attribute in hidden::in_macro(tokens.clone()) {
            let message = "a declaration cannot stand in a macro: it is read from source, where what a macro makes cannot be seen";
            self.errors.push(Error::new_spanned(attribute, message));
        }
    }

    fn item(&mut self, item: &Item) {
        for marker in markers(attributes(item)) {
            let bare = without_attribute(item, marker.attribute);
            let parsed = marker.kind.parse(marker.arguments, &bare);
            if self.conditional {
                let mut problems = Problems::default();
                problems
                    .at(marker.attribute, "a declaration cannot stand in a module under `cfg`: it is read from source for every target");
                self.errors.extend(problems.into_error());
            }
            self.declarations.extend(parsed.decl);
            self.errors.extend(parsed.error.into_iter().flatten());
        }
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Service,
    Event,
    Plugin,
    Config,
    Inject,
    ToolArgs,
    SessionEvent,
}

impl Kind {
    fn of(path: &Path) -> Option<Self> {
        Self::of_word(&path.segments.last()?.ident.to_string())
    }

    fn of_word(word: &str) -> Option<Self> {
        Some(match word {
            "service" => Self::Service,
            "event" => Self::Event,
            "plugin" => Self::Plugin,
            "config" => Self::Config,
            "tool_args" => Self::ToolArgs,
            "session_event" => Self::SessionEvent,
            _ => return None,
        })
    }

    fn parse(self, arguments: TokenStream, item: &Item) -> Parsed<Declaration> {
        match self {
            Self::Service => service::parse(arguments, item).map(Declaration::Service),
            Self::Event => event::parse(arguments, item).map(|decl| Declaration::Event(Box::new(decl))),
            Self::Plugin => plugin::parse(arguments, item).map(|decl| Declaration::Plugin(Box::new(decl))),
            Self::Config => config::parse(arguments, item).map(Declaration::Config),
            Self::Inject => inject::parse(item).map(Declaration::Inject),
            Self::ToolArgs => tool_args::parse(arguments, item).map(Declaration::ToolArgs),
            Self::SessionEvent => session_event::parse(arguments, item).map(Declaration::SessionEvent),
        }
    }
}

/// Whether an attribute whose path ends with a word makes a declaration. `Inject` is derived.
#[must_use]
pub fn declares(word: &str) -> bool {
    Kind::of_word(word).is_some()
}

struct Marker<'a> {
    kind: Kind,
    attribute: &'a Attribute,
    arguments: TokenStream,
}

/// The attributes of an item that make it a declaration.
fn markers(attributes: &[Attribute]) -> Vec<Marker<'_>> {
    let mut markers = Vec::new();
    for attribute in attributes {
        if let Some(kind) = Kind::of(attribute.path()) {
            let arguments = match &attribute.meta {
                Meta::List(list) => list.tokens.clone(),
                Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
            };
            markers.push(Marker { kind, attribute, arguments });
        } else if attribute.path().is_ident("derive") {
            let derived = attribute.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated).unwrap_or_default();
            if derived.iter().any(|path| path.segments.last().is_some_and(|last| last.ident == "Inject")) {
                markers.push(Marker { kind: Kind::Inject, attribute, arguments: TokenStream::new() });
            }
        }
    }
    markers
}

/// The item as the macro sees it: without the attribute itself.
fn without_attribute(item: &Item, attribute: &Attribute) -> Item {
    let mut item = item.clone();
    let held = match &mut item {
        Item::Struct(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        Item::Trait(item) => &mut item.attrs,
        Item::Impl(item) => &mut item.attrs,
        _ => return item,
    };
    held.retain(|other| other != attribute);
    item
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Struct(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        _ => &[],
    }
}

/// `#[cfg(test)]` and nothing else: no binary has what stands under it.
#[must_use]
pub fn is_cfg_test(attribute: &Attribute) -> bool {
    matches!(&attribute.meta, Meta::List(list) if list.path.is_ident("cfg") && list.tokens.to_token_stream().to_string() == "test")
}

/// Reports declarations inside functions.
struct Bodies<'e> {
    errors: &'e mut Vec<Error>,
}

impl<'ast> Visit<'ast> for Bodies<'_> {
    fn visit_block(&mut self, block: &'ast Block) {
        for statement in &block.stmts {
            if let syn::Stmt::Item(item) = statement {
                let inside = markers(attributes(item));
                self.errors.extend(inside.iter().map(|marker| Error::new_spanned(marker.attribute, IN_FUNCTION)));
            }
        }
        visit::visit_block(self, block);
    }
}

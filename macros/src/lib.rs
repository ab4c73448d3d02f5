//! The declaration macros. `dsh-declare` parses; this crate turns what it found into impls of the runtime's traits.
//!
//! Authors use them through `dsh_runtime`, whose names the expansions write out in full. The grammar is described in
//! `docs/declarations.md`. When an item has problems, all of them are reported and the item itself is kept, so that one slip
//! does not make its uses fail too.

mod boxed;
mod config;
mod config_check;
mod config_schema;
mod entry;
mod event;
mod inject;
mod listener;
mod plugin;
mod prompt;
mod service;
mod session_event;
mod tool;
mod tool_args;

use proc_macro::TokenStream;
use quote::quote;
use syn::{Item, ItemImpl, parse};

/// A service: `#[service(key = "…")]` on a trait, whose async functions it rewrites to return boxed futures, or on a type.
#[proc_macro_attribute]
pub fn service(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand(arguments, item, service::expand)
}

/// An event: `#[event(name = "group/verb", mode = …, payload = …)]` on a unit struct.
#[proc_macro_attribute]
pub fn event(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand(arguments, item, event::expand)
}

/// A plugin: `#[plugin(provides(…))]` on the `impl` block of its type. `#[on]`, `#[tool]`, `#[serve]` and `#[verb]` on its
/// methods are part of it.
#[proc_macro_attribute]
pub fn plugin(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand(arguments, item, plugin::expand)
}

/// Configuration: `#[config]` on a struct or an enum of unit variants; `#[config(…)]` on its fields states defaults and bounds.
#[proc_macro_attribute]
pub fn config(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand(arguments, item, config::expand)
}

/// The arguments of a tool: `#[tool_args]` on a struct or an enum of unit variants.
#[proc_macro_attribute]
pub fn tool_args(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand(arguments, item, tool_args::expand)
}

/// The data of an event in the session log: `#[session_event(name = "…")]` on a struct.
#[proc_macro_attribute]
pub fn session_event(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand(arguments, item, session_event::expand)
}

/// What a plugin needs: services and dispatchers, by type.
#[proc_macro_derive(Inject)]
pub fn derive_inject(item: TokenStream) -> TokenStream {
    parse::<Item>(item).map_or_else(|error| error.into_compile_error(), |item| inject::expand(&item)).into()
}

/// Rewrites the async functions of an `impl` of a service trait as `#[service]` rewrote those of the trait.
#[proc_macro_attribute]
pub fn implements(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(first) = arguments.into_iter().next() {
        let error = syn::Error::new(first.span().into(), "`#[implements]` has no arguments").into_compile_error();
        let item = proc_macro2::TokenStream::from(item);
        return quote!(#item #error).into();
    }
    match parse::<ItemImpl>(item.clone()) {
        Ok(block) => boxed::expand_impl(block).into(),
        Err(error) => broken(item, &error),
    }
}

fn expand(
    arguments: TokenStream,
    item: TokenStream,
    expand: fn(proc_macro2::TokenStream, Item) -> proc_macro2::TokenStream,
) -> TokenStream {
    match parse::<Item>(item.clone()) {
        Ok(item) => expand(arguments.into(), item).into(),
        Err(error) => broken(item, &error),
    }
}

/// An item that is no Rust: rustc reports it too, at the place where it reads it.
fn broken(item: TokenStream, error: &syn::Error) -> TokenStream {
    let (item, error) = (proc_macro2::TokenStream::from(item), error.to_compile_error());
    quote!(#item #error).into()
}

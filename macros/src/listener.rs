//! `#[on]`: an adapter for each listener.

use dsh_declare::model::{ListenerCall, ListenerDecl, PluginDecl, Position};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

pub(crate) fn impls(decl: &PluginDecl) -> TokenStream {
    decl.listeners.iter().map(|listener| listens(&decl.name, listener)).collect()
}

fn listens(plugin: &Ident, listener: &ListenerDecl) -> TokenStream {
    let event = &listener.event;
    let position = match listener.position {
        Position::First => quote!(First),
        Position::Row => quote!(Row),
        Position::Last => quote!(Last),
    };
    let make = make(plugin, listener);
    quote! {
        #[automatically_derived]
        impl ::dsh_runtime::ListensTo<#event> for #plugin {
            const POSITION: ::dsh_runtime::Position = ::dsh_runtime::Position::#position;

            fn listener(plugin: &::std::sync::Arc<Self>) -> ::std::sync::Arc<<#event as ::dsh_runtime::Event>::Listener> {
                let plugin = ::std::sync::Arc::clone(plugin);
                #make
            }
        }
    }
}

/// The expression that makes the listener from `plugin`. It defines no items: their names could hide the author's.
fn make(plugin: &Ident, listener: &ListenerDecl) -> TokenStream {
    let (event, method) = (&listener.event, &listener.method);
    // What rustc has to say of the method, it says there.
    let span = method.span();
    match listener.call {
        ListenerCall::Observer => {
            quote_spanned!(span=> ::dsh_runtime::event::observer::<#event, _>(move |payload| <#plugin>::#method(&plugin, payload)))
        }
        ListenerCall::Participant => {
            let future = quote_spanned!(span=> ::std::boxed::Box::pin(async move { <#plugin>::#method(&plugin, payload).await }));
            quote! {
                ::dsh_runtime::event::participant::<#event>(move |payload| {
                    let plugin = ::std::sync::Arc::clone(&plugin);
                    #future
                })
            }
        }
        ListenerCall::Around => {
            let future = quote_spanned!(span=> ::std::boxed::Box::pin(<#plugin>::#method(plugin, payload, next)));
            quote!(::dsh_runtime::event::around::<#event, _>(plugin, |plugin, payload, next| #future))
        }
    }
}

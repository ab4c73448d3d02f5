//! `#[on]`: an adapter for each listener.

use dsh_declare::model::{ListenerCall, ListenerDecl, PluginDecl, Position};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

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
    let (adapter, make) = adapter(plugin, listener);
    quote! {
        const _: () = {
            #adapter

            #[automatically_derived]
            impl ::dsh_runtime::ListensTo<#event> for #plugin {
                const POSITION: ::dsh_runtime::Position = ::dsh_runtime::Position::#position;

                fn listener(plugin: &::std::sync::Arc<Self>) -> ::std::sync::Arc<<#event as ::dsh_runtime::Event>::Listener> {
                    let plugin = ::std::sync::Arc::clone(plugin);
                    #make
                }
            }
        };
    }
}

/// Items beside the impl, and the expression that makes the listener from `plugin`.
fn adapter(plugin: &Ident, listener: &ListenerDecl) -> (TokenStream, TokenStream) {
    let (event, method) = (&listener.event, &listener.method);
    match listener.call {
        ListenerCall::Observer => {
            let make = quote! {
                ::dsh_runtime::event::observer::<#event, _>(move |payload| <#plugin>::#method(&plugin, payload))
            };
            (TokenStream::new(), make)
        }
        ListenerCall::Participant => {
            let make = quote! {
                ::dsh_runtime::event::participant::<#event>(move |payload| {
                    let plugin = ::std::sync::Arc::clone(&plugin);
                    ::std::boxed::Box::pin(async move { <#plugin>::#method(&plugin, payload).await })
                })
            };
            (TokenStream::new(), make)
        }
        ListenerCall::Around => {
            let adapter = quote! {
                struct Listener(::std::sync::Arc<#plugin>);

                impl ::dsh_runtime::event::Around<#event> for Listener {
                    fn call<'a>(
                        &'a self,
                        payload: &'a mut <#event as ::dsh_runtime::Event>::Payload,
                        next: ::dsh_runtime::Next<'a, #event>,
                    ) -> ::dsh_runtime::BoxFuture<'a, ::dsh_runtime::Flow<#event>> {
                        ::std::boxed::Box::pin(<#plugin>::#method(&self.0, payload, next))
                    }
                }
            };
            (adapter, quote!(::dsh_runtime::event::around::<#event>(Listener(plugin))))
        }
    }
}

//! `#[event]`: the unit struct and what its mode makes of it. Where an event of another mode stands, rustc would list events of
//! the right one, which have nothing to do with it; `do_not_recommend` keeps them out of the message.

use dsh_declare::event::parse;
use dsh_declare::model::{EventDecl, Failure, Mode};
use proc_macro2::TokenStream;
use quote::quote;
use syn::Item;

pub(crate) fn expand(arguments: TokenStream, item: Item) -> TokenStream {
    let expansion = parse(arguments, &item).complete().map_or_else(|error| error.to_compile_error(), |decl| impls(&decl));
    quote!(#item #expansion)
}

fn impls(decl: &EventDecl) -> TokenStream {
    let (name, event, payload, digest) = (&decl.name, &decl.event.value, &decl.payload, decl.digest);
    let listener = match decl.mode {
        Mode::Emit => quote!(::dsh_runtime::event::Observer<#payload>),
        Mode::Parallel | Mode::Serial => quote!(::dsh_runtime::event::Participant<#payload>),
        Mode::Waterfall => quote!(dyn ::dsh_runtime::event::Around<Self>),
    };
    let scope = decl.scope.as_ref().map(|scope| {
        quote! {
            fn scope(payload: &#payload) -> ::core::option::Option<::dsh_runtime::ScopeId> {
                #scope(payload)
            }
        }
    });
    let mode = mode(decl);
    quote! {
        #[automatically_derived]
        impl ::dsh_runtime::Event for #name {
            type Payload = #payload;
            type Listener = #listener;
            const ID: &'static str = ::core::concat!(::core::env!("CARGO_PKG_NAME"), "::", ::core::stringify!(#name));
            const NAME: &'static str = #event;
            const DIGEST: u64 = #digest;
            #scope
        }

        #mode
    }
}

fn mode(decl: &EventDecl) -> TokenStream {
    let name = &decl.name;
    match decl.mode {
        Mode::Emit => {
            let veto = decl.failure == Failure::Veto;
            quote! {
                #[automatically_derived]
                #[diagnostic::do_not_recommend]
                impl ::dsh_runtime::EmitEvent for #name {
                    const VETO: bool = #veto;
                }
            }
        }
        Mode::Parallel => quote! {
            #[automatically_derived]
            #[diagnostic::do_not_recommend]
            impl ::dsh_runtime::event::AwaitedEvent for #name {}
            #[automatically_derived]
            #[diagnostic::do_not_recommend]
            impl ::dsh_runtime::ParallelEvent for #name {}
        },
        Mode::Serial => quote! {
            #[automatically_derived]
            #[diagnostic::do_not_recommend]
            impl ::dsh_runtime::event::AwaitedEvent for #name {}
            #[automatically_derived]
            #[diagnostic::do_not_recommend]
            impl ::dsh_runtime::SerialEvent for #name {}
        },
        Mode::Waterfall => {
            // The parser asked for the result of a waterfall.
            let out = &decl.out;
            let repeatable = decl.repeatable.then(|| {
                quote! {
                    #[automatically_derived]
                    #[diagnostic::do_not_recommend]
                    impl ::dsh_runtime::RepeatableEvent for #name {}
                }
            });
            quote! {
                #[automatically_derived]
                #[diagnostic::do_not_recommend]
                impl ::dsh_runtime::WaterfallEvent for #name {
                    type Out = #out;
                }

                #repeatable
            }
        }
    }
}

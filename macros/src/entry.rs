//! `#[serve]` and `#[verb]`: the ways into a binary.

use dsh_declare::model::PluginDecl;
use proc_macro2::TokenStream;
use quote::quote;

pub(crate) fn impls(decl: &PluginDecl) -> TokenStream {
    let (serves, verbs) = (serves(decl), verbs(decl));
    quote!(#serves #verbs)
}

fn serves(decl: &PluginDecl) -> Option<TokenStream> {
    let (plugin, method) = (&decl.name, decl.serve.as_ref()?);
    Some(quote! {
        #[automatically_derived]
        impl ::dsh_runtime::Serves for #plugin {
            fn serve(
                self: ::std::sync::Arc<Self>,
                session: ::dsh_runtime::ServeSession,
            ) -> ::dsh_runtime::BoxFuture<'static, ::dsh_runtime::Exit> {
                ::std::boxed::Box::pin(async move { <#plugin>::#method(&self, session).await })
            }
        }
    })
}

fn verbs(decl: &PluginDecl) -> Option<TokenStream> {
    if decl.verbs.is_empty() {
        return None;
    }
    let plugin = &decl.name;
    let words = decl.verbs.iter().map(|verb| &verb.verb.value).collect::<Vec<_>>();
    let about = decl.verbs.iter().map(|verb| &verb.about.value);
    let methods = decl.verbs.iter().map(|verb| &verb.method);
    let usages = decl.verbs.iter().map(|verb| match &verb.usage {
        Some(usage) => quote!(<#plugin>::#usage(words)),
        None => quote!(::dsh_runtime::Usage::Fits),
    });
    Some(quote! {
        #[automatically_derived]
        impl ::dsh_runtime::Verbs for #plugin {
            const VERBS: &'static [::dsh_runtime::Verb] = &[
                #(::dsh_runtime::Verb { name: #words, about: #about, usage: <Self as ::dsh_runtime::Verbs>::usage }),*
            ];

            #[allow(unused_variables)]
            fn usage(verb: &str, words: &[::std::string::String]) -> ::dsh_runtime::Usage {
                match verb {
                    #(#words => #usages,)*
                    _ => ::core::unreachable!("a verb is one of `VERBS`"),
                }
            }

            fn run_verb(
                self: ::std::sync::Arc<Self>,
                verb: &'static str,
                args: ::std::vec::Vec<::std::string::String>,
                session: ::dsh_runtime::ServeSession,
            ) -> ::dsh_runtime::BoxFuture<'static, ::dsh_runtime::Exit> {
                match verb {
                    #(#words => ::std::boxed::Box::pin(async move { <#plugin>::#methods(&self, args, session).await }),)*
                    _ => ::core::unreachable!("a verb is one of `VERBS`"),
                }
            }
        }
    })
}

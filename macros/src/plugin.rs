//! `#[plugin]`: the author's block and the impls that its declarations stand for.

use std::path::Path;

use dsh_declare::model::PluginDecl;
use dsh_declare::plugin::parse;
use dsh_declare::source_digest;
use dsh_declare::without_method_attributes;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{ImplItem, Item};

use crate::{entry, listener, prompt, tool};

pub(crate) fn expand(arguments: TokenStream, item: Item) -> TokenStream {
    let parsed = parse(arguments, &item).complete();
    let mount = mount_span(&item);
    let item = match item {
        Item::Impl(block) => Item::Impl(without_method_attributes(block)),
        other => other,
    };
    let expansion = match parsed {
        Ok(decl) => {
            let parts =
                [plugin(&decl, mount), provided(&decl), taken(&decl), listener::impls(&decl), tool::impls(&decl), entry::impls(&decl)];
            let prompt = prompt::impls(&decl);
            quote!(#(#parts)* #prompt)
        }
        Err(error) => error.to_compile_error(),
    };
    quote!(#item #expansion)
}

/// Where `mount` stands: what rustc has to say of its future, it says there.
fn mount_span(item: &Item) -> Span {
    let Item::Impl(block) = item else { return Span::call_site() };
    let mut mounts = block.items.iter().filter_map(|member| match member {
        ImplItem::Fn(function) if function.sig.ident == "mount" => Some(function.sig.ident.span()),
        _ => None,
    });
    mounts.next().unwrap_or_else(Span::call_site)
}

fn plugin(decl: &PluginDecl, mount: Span) -> TokenStream {
    let (name, provides) = (&decl.name, &decl.provides);
    let events = decl.listeners.iter().map(|listener| &listener.event).collect::<Vec<_>>();
    let config = decl.config.as_ref().map_or_else(|| quote!(::dsh_runtime::NoConfig), |config| quote!(#config));
    let inject = decl.inject.as_ref().map_or_else(|| quote!(::dsh_runtime::NoInject), |inject| quote!(#inject));
    let digest = digest(decl);
    let source = source();
    let arguments = match (decl.config.is_some(), decl.inject.is_some()) {
        (true, true) => quote!(cx, config, inject),
        (true, false) => quote!(cx, config),
        (false, true) => quote!(cx, inject),
        (false, false) => quote!(cx),
    };
    // The author's `mount` is inherent, and an inherent function goes before one of a trait.
    let mount = quote_spanned!(mount=> ::std::boxed::Box::pin(<#name>::mount(#arguments)));
    quote! {
        #[automatically_derived]
        impl ::dsh_runtime::Plugin for #name {
            type Config = #config;
            type Inject = #inject;
            const NAME: &'static str = ::dsh_runtime::plugin_name(::core::env!("CARGO_PKG_NAME"));
            const VERSION: &'static str = ::core::env!("CARGO_PKG_VERSION");
            const DIGEST: u64 = #digest;
            const SOURCE_DIGEST: u64 = #source;
            const PROVIDES: &'static [&'static str] = &[#(<#provides as ::dsh_runtime::Service>::ID),*];
            const LISTENS: &'static [&'static str] = &[#(<#events as ::dsh_runtime::Event>::ID),*];

            #[allow(unused_variables)]
            fn mount(
                cx: &::dsh_runtime::PluginContext,
                config: Self::Config,
                inject: Self::Inject,
            ) -> ::dsh_runtime::BoxFuture<'_, ::core::result::Result<Self, ::dsh_runtime::MountError>> {
                #mount
            }
        }
    }
}

/// Digest of the sources that rustc compiles. It expands macros anew whenever one of them changed.
fn source() -> TokenStream {
    let read = std::env::var_os("CARGO_MANIFEST_DIR").map(|folder| source_digest(Path::new(&folder)));
    match read.transpose() {
        Ok(digest) => {
            let digest = digest.unwrap_or_default();
            quote!(#digest)
        }
        Err(error) => {
            let message = format!("the sources of the package cannot be read: {error}");
            quote!(::core::compile_error!(#message))
        }
    }
}

fn digest(decl: &PluginDecl) -> TokenStream {
    let (item, provides) = (decl.digest, &decl.provides);
    let config = decl.config.as_ref().map_or_else(|| quote!(0), |config| quote!(<#config as ::dsh_runtime::ConfigMeta>::DIGEST));
    let inject = decl.inject.as_ref().map_or_else(|| quote!(0), |inject| quote!(<#inject as ::dsh_runtime::InjectMeta>::DIGEST));
    let events = decl.listeners.iter().map(|listener| &listener.event);
    let tools = decl.tools.iter().map(|tool| &tool.args);
    quote! {
        ::dsh_runtime::combine(&[
            #item,
            #config,
            #inject,
            #(<#provides as ::dsh_runtime::Service>::DIGEST,)*
            #(<#events as ::dsh_runtime::Event>::DIGEST,)*
            #(<#tools as ::dsh_tools::ToolArgs>::DIGEST,)*
        ])
    }
}

/// Proof that what is taken is of services; where it is not, rustc points there.
fn taken(decl: &PluginDecl) -> TokenStream {
    let proofs = decl.takes.iter().map(|taken| {
        let service = &taken.service;
        let id = quote_spanned!(service.span()=> <#service as ::dsh_runtime::Service>::ID);
        quote!(const _: &str = #id;)
    });
    proofs.collect()
}

/// Proof that the plugin can be handed on as each service; where it cannot, rustc points at the service.
fn provided(decl: &PluginDecl) -> TokenStream {
    let name = &decl.name;
    let proofs = decl.provides.iter().map(|service| {
        let coerced = quote_spanned!(service.span()=> |plugin| plugin);
        quote!(const _: fn(::std::sync::Arc<#name>) -> ::std::sync::Arc<#service> = #coerced;)
    });
    proofs.collect()
}

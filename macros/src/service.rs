//! `#[service]`: the item, its async functions rewritten, and its identity.

use dsh_declare::model::ServiceKind;
use dsh_declare::service::parse;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Item, ItemTrait, TraitItem};

use crate::boxed::{rewrite_body, rewrite_signature};

pub(crate) fn expand(arguments: TokenStream, mut item: Item) -> TokenStream {
    let parsed = parse(arguments, &item).complete();
    if let Item::Trait(item) = &mut item {
        rewrite(item);
    }
    let decl = match parsed {
        Ok(decl) => decl,
        Err(error) => {
            let error = error.to_compile_error();
            return quote!(#item #error);
        }
    };
    let (name, key, digest) = (&decl.name, &decl.key.value, decl.digest);
    let ty = match decl.kind {
        ServiceKind::Trait => quote!(dyn #name),
        ServiceKind::Concrete => quote!(#name),
    };
    quote! {
        #item

        #[automatically_derived]
        #[diagnostic::do_not_recommend] // Another service is no help where something is no service.
        impl ::dsh_runtime::Service for #ty {
            const ID: &'static str = ::core::concat!(::core::env!("CARGO_PKG_NAME"), "::", ::core::stringify!(#name));
            const OPTIONAL_ID: &'static str = ::core::concat!("?", ::core::env!("CARGO_PKG_NAME"), "::", ::core::stringify!(#name));
            const KEY: &'static str = #key;
            const DIGEST: u64 = #digest;
        }
    }
}

fn rewrite(item: &mut ItemTrait) {
    for member in &mut item.items {
        let TraitItem::Fn(function) = member else { continue };
        if function.sig.asyncness.is_some() {
            let returned = rewrite_signature(&mut function.sig);
            function.default = function.default.take().map(|body| rewrite_body(&body, &returned));
        }
    }
}

//! `#[derive(Inject)]`: which services and events the fields name.

use dsh_declare::inject::parse;
use dsh_declare::model::{InjectDecl, Wants};
use proc_macro2::TokenStream;
use quote::quote;
use syn::Item;

pub(crate) fn expand(item: &Item) -> TokenStream {
    parse(item).complete().map_or_else(|error| error.to_compile_error(), |decl| impls(&decl))
}

fn impls(decl: &InjectDecl) -> TokenStream {
    let (name, digest) = (&decl.name, decl.digest);
    let (mut digests, mut services, mut dispatches) = (Vec::new(), Vec::new(), Vec::new());
    for field in &decl.fields {
        match &field.wants {
            Wants::Required(service) => {
                services.push(quote!(<#service as ::dsh_runtime::Service>::ID));
                digests.push(quote!(<#service as ::dsh_runtime::Service>::DIGEST));
            }
            Wants::Optional(service) => {
                services.push(quote!(<#service as ::dsh_runtime::Service>::OPTIONAL_ID));
                digests.push(quote!(<#service as ::dsh_runtime::Service>::DIGEST));
            }
            Wants::Dispatch(event) => {
                dispatches.push(quote!(<#event as ::dsh_runtime::Event>::ID));
                digests.push(quote!(<#event as ::dsh_runtime::Event>::DIGEST));
            }
        }
    }
    quote! {
        #[automatically_derived]
        impl ::dsh_runtime::InjectMeta for #name {
            const DIGEST: u64 = ::dsh_runtime::combine(&[#digest, #(#digests),*]);
            const SERVICES: &'static [&'static str] = &[#(#services),*];
            const DISPATCHES: &'static [&'static str] = &[#(#dispatches),*];
        }
    }
}

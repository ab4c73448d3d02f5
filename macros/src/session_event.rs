//! `#[session_event]`: what the log knows of a type of data.

use dsh_declare::session_event::parse;
use proc_macro2::TokenStream;
use quote::quote;
use syn::Item;

pub(crate) fn expand(arguments: TokenStream, item: Item) -> TokenStream {
    let expansion = match parse(arguments, &item).complete() {
        Ok(decl) => {
            let (name, event, surface, ignorable) = (&decl.name, &decl.event.value, decl.surface, decl.ignorable);
            quote! {
                #[automatically_derived]
                impl ::dsh_session::EventData for #name {
                    const TYPE: &'static str = #event;
                    const SURFACE: bool = #surface;
                    const IGNORABLE: bool = #ignorable;
                }
            }
        }
        Err(error) => error.to_compile_error(),
    };
    quote!(#item #expansion)
}

//! `#[prompt]`: what the plugin adds to the prompt.

use dsh_declare::model::PluginDecl;
use proc_macro2::TokenStream;
use quote::quote;

pub(crate) fn impls(decl: &PluginDecl) -> Option<TokenStream> {
    let (plugin, function) = (&decl.name, decl.prompt.as_ref()?);
    Some(quote! {
        #[automatically_derived]
        impl ::dsh_runtime::description::DescribesPrompt for #plugin {
            fn prompt(config: &<Self as ::dsh_runtime::Plugin>::Config) -> ::std::vec::Vec<::dsh_runtime::description::PromptPart> {
                <#plugin>::#function(config)
            }
        }
    })
}

//! `#[tool]`: what the model is told of each tool, and how a call reaches its method.

use dsh_declare::model::{FromConfig, PluginDecl, Render, ToolDecl};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

pub(crate) fn impls(decl: &PluginDecl) -> TokenStream {
    if decl.tools.is_empty() {
        return TokenStream::new();
    }
    let plugin = &decl.name;
    let specs = decl.tools.iter().map(|tool| spec(plugin, tool));
    let calls = decl.tools.iter().enumerate().map(|(index, tool)| call(plugin, index, tool));
    quote! {
        #[automatically_derived]
        impl ::dsh_tools::DeclaresTools for #plugin {
            #[allow(unused_variables)]
            fn describe(config: &<Self as ::dsh_runtime::Plugin>::Config) -> ::std::vec::Vec<::dsh_tools::ToolSpec> {
                ::std::vec::Vec::from([#(#specs),*])
            }

            fn call<'a>(
                self: &'a ::std::sync::Arc<Self>,
                index: usize,
                args: ::dsh_tools::serde_json::Value,
                call: &'a ::dsh_tools::ToolCall,
            ) -> ::dsh_runtime::BoxFuture<'a, ::core::result::Result<::dsh_tools::ToolOutput, ::dsh_tools::ToolError>> {
                match index {
                    #(#calls)*
                    _ => ::core::unreachable!("a tool is called by its index in the list that `describe` gave"),
                }
            }
        }
    }
}

fn spec(plugin: &Ident, tool: &ToolDecl) -> TokenStream {
    let name = match &tool.tool {
        FromConfig::Literal(name) => {
            let name = &name.value;
            quote!(::std::string::String::from(#name))
        }
        FromConfig::Field(field) => quote!(::core::clone::Clone::clone(&config.#field)),
    };
    let description = match &tool.describe {
        Some(describe) => quote!(<#plugin>::#describe(config)),
        None => {
            let doc = &tool.doc;
            quote!(::std::string::String::from(#doc))
        }
    };
    let render = match tool.render {
        Render::Generic => quote!(Generic),
        Render::Terminal => quote!(Terminal),
        Render::Diff => quote!(Diff),
    };
    let timeout_ms = match &tool.timeout_ms {
        None => quote!(::core::option::Option::None),
        Some(FromConfig::Literal(limit)) => quote!(::core::option::Option::Some(#limit)),
        // The field is a `u64` or an `Option<u64>`.
        Some(FromConfig::Field(field)) => quote!(::core::convert::Into::into(config.#field)),
    };
    let (args, concurrent) = (&tool.args, tool.concurrent);
    quote! {
        ::dsh_tools::ToolSpec {
            name: #name,
            description: #description,
            parameters: <#args as ::dsh_tools::ToolArgs>::schema(),
            render: ::dsh_tools::Render::#render,
            concurrent: #concurrent,
            timeout_ms: #timeout_ms,
        }
    }
}

fn call(plugin: &Ident, index: usize, tool: &ToolDecl) -> TokenStream {
    let (method, args) = (&tool.method, &tool.args);
    // What rustc has to say of the method's future, it says at the method.
    let future = quote_spanned! {method.span()=>
        ::std::boxed::Box::pin(async move {
            let args = ::dsh_tools::parse_args::<#args>(args)?;
            <#plugin>::#method(self, args, call).await
        })
    };
    quote!(#index => #future,)
}

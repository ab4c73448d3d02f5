//! `#[config]`: the type with its derives, its digest, and the check of its bounds.

use dsh_declare::config::parse;
use dsh_declare::model::{ConfigBody, ConfigDecl, FieldDecl, VariantDecl};
use proc_macro2::TokenStream;
use quote::quote;
use syn::Item;

use crate::config_check::check_field;
use crate::config_schema::documented;

pub(crate) fn expand(arguments: TokenStream, mut item: Item) -> TokenStream {
    let parsed = parse(arguments, &item).complete();
    if let Item::Struct(item) = &mut item {
        for field in &mut item.fields {
            field.attrs.retain(|attribute| !attribute.path().is_ident("config"));
        }
    }
    let derives = match &item {
        Item::Enum(_) => {
            quote!(#[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::cmp::PartialEq, ::core::cmp::Eq)])
        }
        Item::Struct(_) => quote!(#[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]),
        _ => TokenStream::new(),
    };
    let expansion = parsed.map_or_else(|error| error.to_compile_error(), |decl| [impls(&decl), documented(&decl)].into_iter().collect());
    quote!(#derives #item #expansion)
}

fn impls(decl: &ConfigDecl) -> TokenStream {
    match &decl.body {
        ConfigBody::Struct(fields) => meta(decl, fields),
        ConfigBody::Enum(variants) => {
            let (meta, words) = (meta(decl, &[]), words(decl, variants));
            quote!(#meta #words)
        }
    }
}

fn meta(decl: &ConfigDecl, fields: &[FieldDecl]) -> TokenStream {
    let (name, digest, named) = (&decl.name, decl.digest, decl.named());
    let checks = fields.iter().filter_map(check_field);
    quote! {
        #[automatically_derived]
        impl ::dsh_runtime::ConfigMeta for #name {
            const DIGEST: u64 = ::dsh_runtime::combine(&[#digest, #(<#named as ::dsh_runtime::ConfigMeta>::DIGEST),*]);

            #[allow(unused_variables)]
            fn check(&self, path: &str, problems: &mut ::std::vec::Vec<::dsh_runtime::ConfigProblem>) {
                #(#checks)*
            }
        }
    }
}

fn words(decl: &ConfigDecl, variants: &[VariantDecl]) -> TokenStream {
    let name = &decl.name;
    let idents = variants.iter().map(|variant| &variant.ident).collect::<Vec<_>>();
    let words = variants.iter().map(|variant| &variant.key).collect::<Vec<_>>();
    // The parser asked for at least one variant.
    let first = idents.first();
    quote! {
        impl #name {
            /// The word by which configuration names the variant.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    #(Self::#idents => #words,)*
                }
            }
        }

        #[automatically_derived]
        impl ::dsh_runtime::FromExpression for #name {
            fn from_expression(
                value: &::dsh_runtime::ExpressionValue,
            ) -> ::core::result::Result<Self, ::std::string::String> {
                ::dsh_runtime::choose(value, &[#((#words, Self::#idents)),*])
            }

            fn stand_in() -> Self {
                Self::#first
            }
        }
    }
}

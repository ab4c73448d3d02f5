//! `#[tool_args]`: the type with its serde derive, and its JSON Schema.

use dsh_declare::model::{ArgField, ArgType, ToolArgsBody, ToolArgsDecl, VariantDecl};
use dsh_declare::tool_args::parse;
use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Item, parse_quote};

pub(crate) fn expand(arguments: TokenStream, mut item: Item) -> TokenStream {
    let parsed = parse(arguments, &item).complete();
    let derives = matches!(item, Item::Struct(_) | Item::Enum(_)).then(|| {
        quote! {
            #[derive(::core::clone::Clone, ::core::fmt::Debug, ::dsh_tools::serde::Deserialize)]
            #[serde(crate = "::dsh_tools::serde")]
        }
    });
    let expansion = match parsed {
        Ok(decl) => {
            if let (Item::Enum(item), ToolArgsBody::Enum(words)) = (&mut item, &decl.body) {
                for (variant, VariantDecl { key, .. }) in item.variants.iter_mut().zip(words) {
                    variant.attrs.push(parse_quote!(#[serde(rename = #key)]));
                }
            }
            impls(&decl)
        }
        Err(error) => error.to_compile_error(),
    };
    quote!(#derives #item #expansion)
}

fn impls(decl: &ToolArgsDecl) -> TokenStream {
    let (name, digest, named) = (&decl.name, decl.digest, decl.named());
    let schema = match &decl.body {
        ToolArgsBody::Struct(fields) => object(fields),
        ToolArgsBody::Enum(variants) => {
            let words = variants.iter().map(|variant| &variant.key);
            quote!(::dsh_tools::serde_json::json!({ "type": "string", "enum": [#(#words),*] }))
        }
    };
    quote! {
        #[automatically_derived]
        impl ::dsh_tools::ToolArgs for #name {
            const DIGEST: u64 = ::dsh_runtime::combine(&[#digest, #(<#named as ::dsh_tools::ToolArgs>::DIGEST),*]);

            fn schema() -> ::dsh_tools::serde_json::Value {
                #schema
            }
        }
    }
}

fn object(fields: &[ArgField]) -> TokenStream {
    let names = fields.iter().map(|field| field.ident.unraw().to_string());
    let schemas = fields.iter().map(property);
    let required: Vec<String> =
        fields.iter().filter(|field| !matches!(field.ty, ArgType::Option(_))).map(|field| field.ident.unraw().to_string()).collect();
    let required = (!required.is_empty()).then(|| quote!(schema["required"] = ::dsh_tools::serde_json::json!([#(#required),*]);));
    quote! {
        #[allow(unused_mut)]
        let mut properties = ::dsh_tools::serde_json::Map::new();
        #(properties.insert(::std::string::String::from(#names), #schemas);)*
        #[allow(unused_mut)]
        let mut schema = ::dsh_tools::serde_json::json!({ "type": "object", "properties": properties });
        #required
        schema
    }
}

/// The schema of a field: its type's, with the doc comment as its description.
fn property(field: &ArgField) -> TokenStream {
    let (schema, doc) = (schema(&field.ty), &field.doc);
    if doc.is_empty() {
        return schema;
    }
    quote! {{
        let mut schema = #schema;
        schema["description"] = ::dsh_tools::serde_json::Value::from(#doc);
        schema
    }}
}

fn schema(ty: &ArgType) -> TokenStream {
    let simple = |name: &str| quote!(::dsh_tools::serde_json::json!({ "type": #name }));
    match ty {
        ArgType::Text => simple("string"),
        ArgType::Bool => simple("boolean"),
        ArgType::Int => simple("integer"),
        ArgType::Float => simple("number"),
        ArgType::Any => quote!(::dsh_tools::serde_json::json!({})),
        ArgType::Option(inner) => schema(inner),
        ArgType::List(inner) => {
            let items = schema(inner);
            quote!(::dsh_tools::serde_json::json!({ "type": "array", "items": #items }))
        }
        ArgType::Named(path) => quote!(<#path as ::dsh_tools::ToolArgs>::schema()),
    }
}

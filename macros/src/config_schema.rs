//! The schema of a config type as constants, by which a binary judges overlays as the compiler judges compositions.

use dsh_declare::model::{Bounds, ConfigBody, ConfigDecl, Default, FieldDecl, FieldType, Number, VariantDecl};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// The implementation of `Documented`; nothing in a binary that takes no overlays.
pub(crate) fn documented(decl: &ConfigDecl) -> TokenStream {
    let (ident, name, named) = (&decl.name, decl.name.to_string(), decl.named());
    let body = match &decl.body {
        ConfigBody::Struct(fields) => body(quote!(Struct), fields.iter().map(field)),
        ConfigBody::Enum(variants) => body(quote!(Enum), variants.iter().map(variant)),
    };
    let from_value = match &decl.body {
        ConfigBody::Struct(fields) => struct_from_value(fields),
        ConfigBody::Enum(variants) => enum_from_value(variants),
    };
    quote! {
        ::dsh_runtime::for_overlays! {
            #[automatically_derived]
            impl ::dsh_runtime::config::FromValue for #ident {
                fn from_value(value: &::dsh_runtime::config::Value) -> ::core::option::Option<Self> {
                    #from_value
                }
            }

            #[automatically_derived]
            impl ::dsh_runtime::Documented for #ident {
                const SCHEMA: ::dsh_runtime::schema::ConfigSchema = ::dsh_runtime::schema::ConfigSchema {
                    package: ::std::borrow::Cow::Borrowed(::core::env!("CARGO_PKG_NAME")),
                    name: ::std::borrow::Cow::Borrowed(#name),
                    body: #body,
                };

                fn add_to(schemas: &mut ::dsh_runtime::schema::Schemas) {
                    #(<#named as ::dsh_runtime::Documented>::add_to(schemas);)*
                    schemas.add(Self::SCHEMA);
                }
            }
        }
    }
}

/// Fields are read in declaration order, as the schema has them.
fn struct_from_value(fields: &[FieldDecl]) -> TokenStream {
    let idents: Vec<&Ident> = fields.iter().map(|field| &field.ident).collect();
    quote! {
        let [#(#idents),*] = ::dsh_runtime::config::fields(value)?;
        ::core::option::Option::Some(Self { #(#idents: ::dsh_runtime::config::FromValue::from_value(#idents)?),* })
    }
}

fn enum_from_value(variants: &[VariantDecl]) -> TokenStream {
    let idents = variants.iter().map(|variant| &variant.ident);
    let arms = idents.map(|ident| {
        let name = ident.to_string();
        quote!((#name, Self::#ident))
    });
    quote!(::dsh_runtime::config::variant(value, &[#(#arms),*]))
}

fn body(kind: TokenStream, parts: impl Iterator<Item = TokenStream>) -> TokenStream {
    let parts = list(parts);
    quote!(::dsh_runtime::schema::ConfigBody::#kind(#parts))
}

fn list(parts: impl Iterator<Item = TokenStream>) -> TokenStream {
    quote!(::std::borrow::Cow::Borrowed(&[#(#parts),*]))
}

fn text(text: &str) -> TokenStream {
    quote!(::std::borrow::Cow::Borrowed(#text))
}

fn option(value: Option<TokenStream>) -> TokenStream {
    value.map_or_else(|| quote!(::core::option::Option::None), |value| quote!(::core::option::Option::Some(#value)))
}

fn field(decl: &FieldDecl) -> TokenStream {
    let (ident, key) = (text(&decl.ident.to_string()), text(&decl.key));
    let (ty, default) = (field_type(&decl.ty), option(decl.default.as_ref().map(default)));
    let (bounds, doc) = (bounds(&decl.bounds), text(decl.doc.lines().next().unwrap_or_default()));
    quote! {
        ::dsh_runtime::schema::FieldSchema {
            ident: #ident,
            key: #key,
            ty: #ty,
            default: #default,
            bounds: #bounds,
            doc: #doc,
        }
    }
}

fn bounds(bounds: &Bounds) -> TokenStream {
    let (min, max) = (option(bounds.min.map(number)), option(bounds.max.map(number)));
    let (non_empty, non_blank) = (bounds.non_empty, bounds.non_blank);
    let one_of = list(bounds.one_of.iter().map(|word| text(word)));
    quote! {
        ::dsh_runtime::schema::Bounds {
            min: #min,
            max: #max,
            non_empty: #non_empty,
            non_blank: #non_blank,
            one_of: #one_of,
        }
    }
}

fn variant(decl: &VariantDecl) -> TokenStream {
    let (ident, key) = (text(&decl.ident.to_string()), text(&decl.key));
    quote!(::dsh_runtime::schema::VariantSchema { ident: #ident, key: #key })
}

fn field_type(ty: &FieldType) -> TokenStream {
    let inner = |ty| {
        let ty = field_type(ty);
        quote!(::dsh_runtime::schema::Inner::Constant(&#ty))
    };
    let kind = match ty {
        FieldType::Text => quote!(Text),
        FieldType::Bool => quote!(Bool),
        FieldType::Int(int) => {
            let int = Ident::new(&format!("{int:?}"), Span::call_site());
            quote!(Int(::dsh_runtime::schema::IntType::#int))
        }
        FieldType::Float => quote!(Float),
        FieldType::Path => quote!(Path),
        FieldType::SecretEnv => quote!(SecretEnv),
        FieldType::Option(ty) => {
            let inner = inner(ty);
            quote!(Option(#inner))
        }
        FieldType::List(ty) => {
            let inner = inner(ty);
            quote!(List(#inner))
        }
        FieldType::Map(ty) => {
            let inner = inner(ty);
            quote!(Map(#inner))
        }
        FieldType::Named(path) => {
            let name = text(&path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default());
            quote!(Named(#name))
        }
    };
    quote!(::dsh_runtime::schema::FieldType::#kind)
}

fn number(number: Number) -> TokenStream {
    match number {
        Number::Int(value) => quote!(::dsh_runtime::schema::Number::Int(#value)),
        Number::Float(value) => quote!(::dsh_runtime::schema::Number::Float(#value)),
    }
}

fn default(value: &Default) -> TokenStream {
    let value = match value {
        Default::Bool(value) => quote!(Bool(#value)),
        Default::Number(value) => {
            let value = number(*value);
            quote!(Number(#value))
        }
        Default::Text(value) => {
            let value = text(value);
            quote!(Text(#value))
        }
        Default::List(items) => {
            let items = list(items.iter().map(default));
            quote!(List(#items))
        }
        Default::Empty => quote!(Empty),
    };
    quote!(::dsh_runtime::schema::Default::#value)
}

//! The check of a config field's bounds, through `Option`, `Vec` and `BTreeMap` and into nested config.

use dsh_declare::model::{FieldDecl, FieldType, Number};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

/// Statements that check a field of `self`; `None` when nothing can be wrong with it.
pub(crate) fn check_field(field: &FieldDecl) -> Option<TokenStream> {
    let (ident, key) = (&field.ident, &field.key);
    let whole = field.bounds.non_empty.then(|| non_empty(&field.ty));
    let inside = check_inside(&field.ty, field, 0);
    if whole.is_none() && inside.is_none() {
        return None;
    }
    let depth = value_at(0);
    Some(quote! {
        {
            let #depth = &self.#ident;
            let path = ::dsh_runtime::config::join_path(path, #key);
            #whole
            #inside
        }
    })
}

/// The value at a depth of nesting; names of one depth do not shadow those of another.
fn value_at(depth: usize) -> Ident {
    Ident::new(&format!("value_{depth}"), Span::mixed_site())
}

fn non_empty(ty: &FieldType) -> TokenStream {
    let value = value_at(0);
    match ty {
        FieldType::Option(inner) => {
            let inner = emptiness(inner, &quote!(#value));
            quote! {
                if let ::core::option::Option::Some(#value) = #value {
                    ::dsh_runtime::config::non_empty(&path, #inner, problems);
                }
            }
        }
        other => {
            let empty = emptiness(other, &quote!(#value));
            quote!(::dsh_runtime::config::non_empty(&path, #empty, problems);)
        }
    }
}

fn emptiness(ty: &FieldType, value: &TokenStream) -> TokenStream {
    match ty {
        FieldType::Path => quote!(#value.as_os_str().is_empty()),
        _ => quote!(#value.is_empty()),
    }
}

/// Checks what is inside a type; the value is a reference in `value_at(depth)`, its path in `path`.
fn check_inside(ty: &FieldType, field: &FieldDecl, depth: usize) -> Option<TokenStream> {
    let (value, inner_value) = (value_at(depth), value_at(depth + 1));
    match ty {
        FieldType::Option(inner) => {
            let inner = check_inside(inner, field, depth + 1)?;
            Some(quote!(if let ::core::option::Option::Some(#inner_value) = #value { #inner }))
        }
        FieldType::List(inner) => {
            let inner = check_inside(inner, field, depth + 1)?;
            Some(quote! {
                for (index, #inner_value) in #value.iter().enumerate() {
                    let path = ::std::format!("{path}[{index}]");
                    #inner
                }
            })
        }
        FieldType::Map(inner) => {
            let inner = check_inside(inner, field, depth + 1)?;
            Some(quote! {
                for (key, #inner_value) in #value {
                    let path = ::dsh_runtime::config::join_path(&path, key);
                    #inner
                }
            })
        }
        FieldType::Named(_) => Some(quote!(::dsh_runtime::ConfigMeta::check(#value, &path, problems);)),
        FieldType::Int(_) | FieldType::Float => {
            let number = |number: Number| literal(number, ty);
            let min = field.bounds.min.map(number).map(|min| quote!(::dsh_runtime::config::at_least(&path, *#value, #min, problems);));
            let max = field.bounds.max.map(number).map(|max| quote!(::dsh_runtime::config::at_most(&path, *#value, #max, problems);));
            (min.is_some() || max.is_some()).then(|| quote!(#min #max))
        }
        FieldType::Text => {
            let words = &field.bounds.one_of;
            let blank = field.bounds.non_blank.then(|| quote!(::dsh_runtime::config::non_blank(&path, #value, problems);));
            let one_of = (!words.is_empty()).then(|| quote!(::dsh_runtime::config::one_of(&path, #value, &[#(#words),*], problems);));
            (blank.is_some() || one_of.is_some()).then(|| quote!(#blank #one_of))
        }
        FieldType::Bool | FieldType::Path | FieldType::SecretEnv => None,
    }
}

/// A bound as a literal of the field's type; the parser proved that it fits.
fn literal(number: Number, ty: &FieldType) -> TokenStream {
    let (negative, text) = match (number, ty) {
        (Number::Int(value), FieldType::Int(int)) => (value < 0, format!("{}{}", value.unsigned_abs(), int.name())),
        (Number::Int(value), _) => (value < 0, format!("{}f64", value.unsigned_abs())),
        (Number::Float(value), _) => (value.is_sign_negative(), format!("{:?}f64", value.abs())),
    };
    let digits: Literal = text.parse().unwrap_or_else(|_| unreachable!("digits and a suffix are a literal: {text}"));
    if negative { quote!(-#digits) } else { quote!(#digits) }
}

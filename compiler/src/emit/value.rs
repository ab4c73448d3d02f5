//! Config values as Rust expressions.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::names::{Names, member};
use crate::check::{StructValue, Value};

/// Whether an expression of a config is left to the start of the binary.
pub(super) fn reads_machine(config: &StructValue) -> bool {
    fn reads(value: &Value) -> bool {
        match value {
            Value::Expression { .. } => true,
            Value::Option(value) => value.as_deref().is_some_and(reads),
            Value::List(values) => values.iter().any(reads),
            Value::Map(entries) => entries.iter().any(|(_, value)| reads(value)),
            Value::Struct(config) => reads_machine(config),
            Value::Text(_) | Value::Bool(_) | Value::Int(_) | Value::Float(_) => false,
            Value::Path(_) | Value::SecretEnv(_) | Value::Variant(..) => false,
        }
    }
    config.fields.iter().any(|(_, value)| reads(value))
}

/// Writes a row's values.
pub(super) struct Values<'a> {
    pub names: &'a Names<'a>,
}

impl Values<'_> {
    /// A struct literal; rustc checks it again.
    pub(super) fn structure(&self, value: &StructValue) -> TokenStream {
        let item = self.names.item(&value.item);
        let fields = value.fields.iter().map(|(name, value)| {
            let (name, value) = (member(name), self.value(value));
            quote!(#name: #value)
        });
        quote!(#item { #(#fields),* })
    }

    fn value(&self, value: &Value) -> TokenStream {
        match value {
            Value::Text(text) => quote!(#text.to_owned()),
            Value::Bool(value) => quote!(#value),
            Value::Int(value) => integer(*value),
            Value::Float(value) => float(*value),
            Value::Path(path) => quote!(PathBuf::from(#path)),
            Value::SecretEnv(variable) => quote!(SecretEnv::new(#variable)),
            Value::Option(None) => quote!(None),
            Value::Option(Some(value)) => {
                let value = self.value(value);
                quote!(Some(#value))
            }
            Value::List(values) => self.list(values),
            Value::Map(entries) => self.map(entries),
            Value::Struct(value) => self.structure(value),
            Value::Variant(item, variant) => {
                let (item, variant) = (self.names.item(item), member(variant));
                quote!(#item::#variant)
            }
            Value::Expression { text, field } => quote!(eval.get(site(#field), #text)),
        }
    }

    /// `Vec::from([…])`, because the formatter leaves the inside of `vec![…]` on one line.
    fn list(&self, values: &[Value]) -> TokenStream {
        if values.is_empty() {
            return quote!(Vec::new());
        }
        let values = values.iter().map(|value| self.value(value));
        quote!(Vec::from([#(#values),*]))
    }

    fn map(&self, entries: &[(String, Value)]) -> TokenStream {
        if entries.is_empty() {
            return quote!(BTreeMap::new());
        }
        let entries = entries.iter().map(|(key, value)| {
            let value = self.value(value);
            quote!((#key.to_owned(), #value))
        });
        quote!(BTreeMap::from([#(#entries),*]))
    }
}

/// `300_000`: without a suffix, since the field gives the type.
fn integer(value: i128) -> TokenStream {
    let literal = grouped(&value.unsigned_abs().to_string(), 3);
    // Digits and underscores are a literal.
    let literal: Literal = literal.parse().unwrap_or_else(|_| Literal::u128_unsuffixed(value.unsigned_abs()));
    if value < 0 { quote!(-#literal) } else { quote!(#literal) }
}

fn float(value: f64) -> TokenStream {
    let literal = Literal::f64_unsuffixed(value.abs());
    if value.is_sign_negative() { quote!(-#literal) } else { quote!(#literal) }
}

/// Digits with an underscore before each full group at the end.
pub(super) fn grouped(digits: &str, size: usize) -> String {
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(size) {
            text.push('_');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_a_person_would_write_them() {
        let cases = [(0, "0"), (999, "999"), (1_000, "1_000"), (-300_000, "- 300_000"), (2_147_483_647, "2_147_483_647")];
        for (value, expected) in cases {
            assert_eq!(integer(value).to_string(), expected);
        }
        assert_eq!(float(1.0).to_string(), "1.0");
        assert_eq!(float(-0.5).to_string(), "- 0.5");
    }
}

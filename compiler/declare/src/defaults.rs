//! Defaults and bounds as literals, and whether a default is of its field's type.

use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Lit, Token, braced, bracketed};

use crate::arguments::within;
use crate::model::{Default, FieldType, IntType, Number};

/// A literal with its place.
pub(crate) struct Literal<T> {
    pub(crate) value: T,
    pub(crate) span: Span,
}

impl Parse for Literal<Number> {
    fn parse(input: ParseStream) -> Result<Self, Error> {
        let negative = input.parse::<Option<Token![-]>>()?.is_some();
        let lit: Lit = input.parse()?;
        let span = lit.span();
        let value = match &lit {
            Lit::Int(digits) if digits.suffix().is_empty() => {
                let magnitude: i128 = digits.base10_parse()?;
                Number::Int(if negative { -magnitude } else { magnitude })
            }
            Lit::Float(digits) if digits.suffix().is_empty() => {
                let magnitude: f64 = digits.base10_parse()?;
                if !magnitude.is_finite() {
                    return Err(Error::new(span, "the number is too large for `f64`"));
                }
                Number::Float(if negative { -magnitude } else { magnitude })
            }
            Lit::Int(_) | Lit::Float(_) => return Err(Error::new(span, "a number without a suffix: the field's type decides")),
            _ => return Err(Error::new(span, "expected a number")),
        };
        Ok(Self { value, span })
    }
}

impl Parse for Literal<Default> {
    fn parse(input: ParseStream) -> Result<Self, Error> {
        let span = input.span();
        let value = if input.peek(syn::token::Bracket) {
            let inside;
            bracketed!(inside in input);
            let items = within(&inside, |inside| inside.parse_terminated(Self::parse, Token![,]))?;
            Default::List(items.into_iter().map(|item| item.value).collect())
        } else if input.peek(syn::token::Brace) {
            let inside;
            braced!(inside in input);
            within(&inside, |inside| match inside.is_empty() {
                true => Ok(Default::Empty),
                false => Err(inside.error("a default mapping is `{}`: state the defaults on the fields of the nested config")),
            })?
        } else if input.peek(syn::LitStr) {
            Default::Text(input.parse::<syn::LitStr>()?.value().into())
        } else if input.peek(syn::LitBool) {
            Default::Bool(input.parse::<syn::LitBool>()?.value)
        } else if input.peek(Lit) || input.peek(Token![-]) {
            Default::Number(input.parse::<Literal<Number>>()?.value)
        } else {
            return Err(input.error("a default is a literal, a list of literals in `[…]` or `{}`: the compiler reads it from source"));
        };
        Ok(Self { value, span })
    }
}

/// Whether a default is of the field's type; otherwise what was expected.
pub(crate) fn fits(default: &Default, ty: &FieldType) -> Result<(), String> {
    match (ty, default) {
        (FieldType::Text | FieldType::Path | FieldType::SecretEnv | FieldType::Named(_), Default::Text(_))
        | (FieldType::Bool, Default::Bool(_))
        | (FieldType::Float, Default::Number(_))
        | (FieldType::Map(_) | FieldType::Named(_), Default::Empty) => Ok(()),
        (FieldType::Int(int), Default::Number(number)) => in_range(*number, *int),
        (FieldType::Option(inner), default) => fits(default, inner),
        (FieldType::List(inner), Default::List(items)) => items.iter().try_for_each(|item| fits(item, inner)),
        (expected, _) => Err(format!("the field takes {}", describe(expected))),
    }
}

/// Whether a number fits an integer type.
pub(crate) fn in_range(number: Number, int: IntType) -> Result<(), String> {
    let (name, (low, high)) = (int.name(), int.range());
    match number {
        Number::Float(_) => Err(format!("the field takes a whole number (`{name}`)")),
        Number::Int(value) if value < low || value > high => {
            Err(format!("`{value}` is out of range for `{name}`, which holds {low} to {high}"))
        }
        Number::Int(_) => Ok(()),
    }
}

fn describe(ty: &FieldType) -> &'static str {
    match ty {
        FieldType::Text => "a string",
        FieldType::Bool => "`true` or `false`",
        FieldType::Int(_) => "a whole number",
        FieldType::Float => "a number",
        FieldType::Path => "a path as a string",
        FieldType::SecretEnv => "the name of an environment variable as a string",
        FieldType::Option(inner) => describe(inner),
        FieldType::List(_) => "a list in `[…]`",
        FieldType::Map(_) => "`{}`",
        FieldType::Named(_) => "`{}` for a nested struct or the word of a variant",
    }
}

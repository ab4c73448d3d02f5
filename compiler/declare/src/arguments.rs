//! The arguments of an attribute: `key`, `key = value` and positional ones, read without stopping at the first problem.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Error, LitStr, Meta, Token};

use crate::model::{FromConfig, Text};
use crate::problems::Problems;

/// Reads `key`, `key = …`, `key(…)` separated by commas; `read` takes what follows the key from the stream.
///
/// A problem in one argument is recorded and reading goes on behind the next comma.
pub(crate) fn read_arguments(tokens: TokenStream, problems: &mut Problems, mut read: impl FnMut(&Ident, ParseStream) -> Result<(), Error>) {
    let mut seen: Vec<Ident> = Vec::new();
    let all = |input: ParseStream| {
        while !input.is_empty() {
            if let Err(error) = one(input, &mut seen, &mut read) {
                problems.add(error);
                skip_to_comma(input)?;
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    };
    if let Err(error) = all.parse2(tokens) {
        problems.add(error);
    }
}

fn one(input: ParseStream, seen: &mut Vec<Ident>, read: &mut impl FnMut(&Ident, ParseStream) -> Result<(), Error>) -> Result<(), Error> {
    let key = input.call(Ident::parse_any)?;
    read(&key, input)?;
    if !input.is_empty() && !input.peek(Token![,]) {
        return Err(input.error("expected `,`"));
    }
    if seen.contains(&key) {
        return Err(Error::new(key.span(), format!("`{key}` is given twice")));
    }
    seen.push(key);
    Ok(())
}

fn skip_to_comma(input: ParseStream) -> Result<(), Error> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

/// The tokens in the parentheses of an inert attribute; `#[name]` has none, `#[name = …]` is a problem.
pub(crate) fn attribute_tokens(attribute: &Attribute, problems: &mut Problems) -> TokenStream {
    match &attribute.meta {
        Meta::Path(_) => TokenStream::new(),
        Meta::List(list) => list.tokens.clone(),
        Meta::NameValue(pair) => {
            problems.at(pair, "the arguments stand in parentheses");
            TokenStream::new()
        }
    }
}

/// Reads what stands in brackets. After a problem the rest is taken too, else the parser would report it a second time.
pub(crate) fn within<T>(inside: ParseStream, read: impl FnOnce(ParseStream) -> Result<T, Error>) -> Result<T, Error> {
    let result = read(inside);
    inside.parse::<TokenStream>()?;
    result
}

/// The error for a key that an attribute does not have.
pub(crate) fn unknown_key(key: &Ident, known: &[&str]) -> Error {
    let list = known.iter().map(|known| format!("`{known}`")).collect::<Vec<_>>().join(", ");
    Error::new(key.span(), format!("unknown key `{key}`, expected one of {list}"))
}

/// Reads `= value`.
pub(crate) fn value<T: Parse>(input: ParseStream) -> Result<T, Error> {
    input.parse::<Token![=]>()?;
    input.parse()
}

/// Reads `= "…"`, not blank.
pub(crate) fn text(input: ParseStream) -> Result<Text, Error> {
    input.parse::<Token![=]>()?;
    literal_text(input)
}

/// Reads `"…"`, not blank.
pub(crate) fn literal_text(input: ParseStream) -> Result<Text, Error> {
    let literal: LitStr = input.parse()?;
    let text = Text { value: literal.value(), span: literal.span() };
    if text.value.trim().is_empty() { Err(Error::new(text.span, "must not be blank")) } else { Ok(text) }
}

/// Reads `= word`, one of a few.
pub(crate) fn word<T: Copy>(input: ParseStream, words: &[(&str, T)]) -> Result<T, Error> {
    input.parse::<Token![=]>()?;
    let ident = input.call(Ident::parse_any)?;
    let found = words.iter().find(|(word, _)| ident == word);
    found.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let list = words.iter().map(|(word, _)| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        Error::new(ident.span(), format!("`{ident}` is not one of {list}"))
    })
}

/// Reads `= <literal>` or `= config.<field>`.
pub(crate) fn or_field<T>(
    input: ParseStream,
    is_literal: fn(ParseStream) -> bool,
    literal: fn(ParseStream) -> Result<T, Error>,
) -> Result<FromConfig<T>, Error> {
    input.parse::<Token![=]>()?;
    if is_literal(input) {
        return literal(input).map(FromConfig::Literal);
    }
    let place = input.span();
    let config: Option<Ident> = input.parse().ok();
    if config.is_none_or(|config| config != "config") {
        return Err(Error::new(place, "expected a literal or `config.<field>`"));
    }
    input.parse::<Token![.]>()?;
    input.call(Ident::parse_any).map(FromConfig::Field)
}

//! The problems of one item, collected so that an author sees all of them at once.

use std::fmt::Display;

use proc_macro2::Span;
use quote::ToTokens;
use syn::Error;

/// What a parser yields: the declaration as far as it could be read, and every problem of the item.
///
/// With problems the declaration is there only if what could be read is worth resolving further.
#[derive(Debug)]
pub struct Parsed<T> {
    /// The declaration.
    pub decl: Option<T>,
    /// All problems as one error, which iterates over them.
    pub error: Option<Error>,
}

impl<T> Parsed<T> {
    pub(crate) fn new(decl: Option<T>, problems: Problems) -> Self {
        Self { decl, error: problems.into_error() }
    }

    /// The same with the declaration in another type.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Parsed<U> {
        Parsed { decl: self.decl.map(change), error: self.error }
    }

    /// The declaration of an item that has no problem.
    ///
    /// # Errors
    /// All problems of the item.
    pub fn complete(self) -> Result<T, Error> {
        match (self.decl, self.error) {
            (_, Some(error)) => Err(error),
            (Some(decl), None) => Ok(decl),
            (None, None) => Err(Error::new(Span::call_site(), "the declaration cannot be read")),
        }
    }
}

/// Collects problems.
#[derive(Debug, Default)]
pub struct Problems {
    error: Option<Error>,
}

impl Problems {
    /// Adds a problem at tokens.
    pub fn at(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.add(Error::new_spanned(tokens, message));
    }

    /// Adds a problem at a place.
    pub fn at_span(&mut self, span: Span, message: impl Display) {
        self.add(Error::new(span, message));
    }

    /// Adds an error.
    pub fn add(&mut self, error: Error) {
        match &mut self.error {
            Some(held) => held.combine(error),
            None => self.error = Some(error),
        }
    }

    /// Keeps the value of a result and adds its error.
    pub fn keep<T>(&mut self, result: Result<T, Error>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    /// All problems as one error.
    #[must_use]
    pub fn into_error(self) -> Option<Error> {
        self.error
    }
}

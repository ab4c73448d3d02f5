//! Where calls go.

use std::fmt;
use std::sync::Arc;

use reqwest::Url;

/// The address of a call as messages tell it: without a query, which may hold a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address(Arc<str>);

impl Address {
    pub(crate) fn of(url: &Url) -> Self {
        let mut told = url.clone();
        told.set_query(None);
        told.set_fragment(None);
        Self(told.as_str().into())
    }
}

impl fmt::Display for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

//! Variables of the environment whose values are settled when a binary is built.

use std::collections::BTreeMap;

/// Values by the names of their variables. An expression sees them in place of the environment's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fixed(BTreeMap<String, String>);

impl Fixed {
    /// Of names and values; of a name that comes again the last value counts.
    pub fn of(variables: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>) -> Self {
        Self(variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }

    /// Whether nothing is fixed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the variable is fixed, be it as not set.
    #[must_use]
    pub fn holds(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// All variables that are fixed, by name.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The value of a variable that is fixed as set.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !is_blank(value))
    }

    /// All variables that are fixed as set, by name.
    pub fn values(&self) -> impl Iterator<Item = (&str, &str)> {
        self.names().filter_map(|name| Some((name, self.value(name)?)))
    }
}

/// Whether a variable with this value counts as not set.
#[must_use]
pub fn is_blank(value: &str) -> bool {
    value.trim().is_empty()
}

//! Secrets: configuration names the variable, the value is read when it is used.

use std::fmt;

/// The name of an environment variable that holds a secret. The secret is read when it is used ([`crate::PluginContext::secret`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretEnv(String);

impl SecretEnv {
    /// A reference to `variable`.
    #[must_use]
    pub fn new(variable: &str) -> Self {
        Self(variable.to_owned())
    }

    /// The variable's name.
    #[must_use]
    pub fn variable(&self) -> &str {
        &self.0
    }
}

/// A secret's value. It has no `Display` and its `Debug` form hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretValue(String);

impl SecretValue {
    /// Wraps a secret.
    #[must_use]
    pub fn new(value: String) -> Self {
        Self(value)
    }

    /// The secret itself, for the one place that sends it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretValue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("SecretValue(hidden)")
    }
}

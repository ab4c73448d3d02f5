//! Configuration: what a `#[config]` type can say of itself, and secrets.

mod bounds;
#[cfg(feature = "overlays")]
mod documented;
#[cfg(feature = "overlays")]
mod from_value;
mod secret;

pub use bounds::{at_least, at_most, non_blank, non_empty, one_of};
#[cfg(feature = "overlays")]
pub use documented::Documented;
#[cfg(feature = "overlays")]
pub use from_value::{FromValue, Value, fields, variant};
pub use secret::{SecretEnv, SecretValue};

use std::fmt;

use crate::plugin::NoConfig;

/// A configuration type; `#[config]` implements it.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot be configuration", note = "put `#[config]` on a struct or an enum")]
pub trait ConfigMeta: Clone + fmt::Debug + PartialEq + Send + Sync + 'static {
    /// Digest of its declaration joined with those of its fields' types.
    const DIGEST: u64;
    /// Adds a problem for each field that breaks its bound; `path` is where this value stands in the row's config.
    fn check(&self, path: &str, problems: &mut Vec<ConfigProblem>);
}

impl ConfigMeta for NoConfig {
    const DIGEST: u64 = 0;
    fn check(&self, _path: &str, _problems: &mut Vec<ConfigProblem>) {}
}

/// A value of a row's config that the binary cannot start with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigProblem {
    /// Row, field, source: `row \`sessions\`, field \`root\` (profiles/minimal/profile.yml#sessions)`.
    pub place: String,
    /// What was wrong and what was expected.
    pub message: String,
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.place, self.message)
    }
}

/// Joins a config path and a field: `models[0]` and `id` give `models[0].id`.
#[must_use]
pub fn join_path(path: &str, field: &str) -> String {
    if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") }
}

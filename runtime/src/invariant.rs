//! Invariants: runtime checks of relationships that a plugin owns. They live in a registry that a composition may leave out.

use crate::PluginContext;
// The declaration macro names this crate by its public path.
use crate::service;

/// A broken invariant, attributed to the package that owns the rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{package}: {message}")]
pub struct InvariantError {
    /// Package that owns the rule.
    pub package: String,
    /// Which relationship does not hold.
    pub message: String,
}

impl InvariantError {
    /// Code under which failures of this kind appear in records.
    pub const CODE: &'static str = "INVARIANT";

    /// A violation of a rule of `package`.
    pub fn new(package: &str, message: impl std::fmt::Display) -> Self {
        Self { package: package.to_owned(), message: message.to_string() }
    }
}

/// Installs a package's checks into its own context; called at most once.
pub type Installer = Box<dyn FnOnce(&PluginContext) + Send>;

/// The registry of runtime checks. A plugin with checks injects it as `Option<Arc<dyn Invariants>>`, so a composition without
/// the registry pays nothing.
#[service(key = "invariants")]
pub trait Invariants: Send + Sync {
    /// Offers the checks of `package` for the row of `cx`; `install` runs when the registry's lists admit the package. The checks end
    /// with `cx`. Several rows may mount one plugin, in realms or presets, and each has its own.
    ///
    /// # Errors
    /// When the row has registered checks of the package already, or the package's name is blank.
    fn register(&self, package: &str, cx: &PluginContext, install: Installer) -> Result<(), String>;
}

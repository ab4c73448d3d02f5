//! The registry of runtime checks. A composition without this row has none of them and pays nothing for them.

mod config;
mod patterns;

pub use config::Config;
pub use patterns::PatternError;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use dsh_runtime::{Installer, Invariants, MountError, PluginContext, implements, plugin};

use patterns::Patterns;

/// Provider of the registry.
pub struct InvariantRegistry {
    enabled: bool,
    allow: Patterns,
    block: Patterns,
    /// Package and row of each registration.
    registered: Arc<Mutex<BTreeSet<(String, String)>>>,
}

#[plugin(provides(dyn Invariants))]
impl InvariantRegistry {
    /// Compiles both lists.
    pub async fn mount(_cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self {
            enabled: config.enabled,
            allow: Patterns::compile("package_allowlist", &config.package_allowlist).map_err(MountError::new)?,
            block: Patterns::compile("package_blocklist", &config.package_blocklist).map_err(MountError::new)?,
            registered: Arc::default(),
        })
    }

    fn admits(&self, package: &str) -> bool {
        self.enabled && (self.allow.is_empty() || self.allow.match_any(package)) && !self.block.match_any(package)
    }
}

#[implements]
impl Invariants for InvariantRegistry {
    /// The name is taken even when the lists keep the checks out, so that a second registration is always found.
    fn register(&self, package: &str, cx: &PluginContext, install: Installer) -> Result<(), String> {
        if package.is_empty() || package.contains(char::is_whitespace) {
            return Err(format!("`{package}` is no package name: it must not be empty or hold white space"));
        }
        let name = (package.to_owned(), cx.row_id().to_owned());
        if !self.registered.lock().unwrap_or_else(PoisonError::into_inner).insert(name.clone()) {
            return Err(format!("the checks of `{package}` are registered already"));
        }
        // Recorded before the checks install, so the name is free again only after they are undone.
        let registered = Arc::clone(&self.registered);
        cx.effects().push_sync(move || {
            registered.lock().unwrap_or_else(PoisonError::into_inner).remove(&name);
        });
        if self.admits(package) {
            install(cx);
        }
        Ok(())
    }
}

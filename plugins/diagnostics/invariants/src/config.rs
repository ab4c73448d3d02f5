//! The row's config. The keys of the lists are spelled as in configurations that exist already.

use dsh_runtime::config;

/// Which packages are checked while the agent runs.
#[config]
pub struct Config {
    /// Whether any checks run.
    #[config(default = true)]
    pub enabled: bool,
    /// Regular expressions; only packages that match one are checked. An empty list admits all.
    #[config(name = "package_allowlist", default = [])]
    pub package_allowlist: Vec<String>,
    /// Regular expressions; packages that match one are not checked, even when the allow list admits them.
    #[config(name = "package_blocklist", default = [])]
    pub package_blocklist: Vec<String>,
}

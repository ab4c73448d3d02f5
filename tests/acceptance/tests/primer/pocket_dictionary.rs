//! A service and its provider.

use std::collections::BTreeMap;

use dsh_runtime::{MountError, PluginContext, config, plugin, service};

/// Finds what a word is called elsewhere.
#[service(key = "dictionary")]
pub trait Dictionary: Send + Sync {
    fn look_up(&self, word: &str) -> Option<String>;
}

/// Which words it knows.
#[config]
pub struct Config {
    /// Words with their translations.
    #[config(non_empty)]
    pub words: BTreeMap<String, String>,
}

/// A dictionary that fits into a profile.
pub struct PocketDictionary {
    words: BTreeMap<String, String>,
}

#[plugin(provides(dyn Dictionary))]
impl PocketDictionary {
    pub async fn mount(_cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self { words: config.words })
    }
}

impl Dictionary for PocketDictionary {
    fn look_up(&self, word: &str) -> Option<String> {
        self.words.get(word).cloned()
    }
}

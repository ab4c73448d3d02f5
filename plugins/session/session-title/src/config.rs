//! The row's config.

use dsh_runtime::config;

/// How long titles are.
#[config]
pub struct Config {
    /// Most words that are taken from the first prompt.
    #[config(min = 1)]
    pub fallback_max_words: usize,
    /// Most UTF-8 bytes that are taken from the first prompt; at most `maxTitleBytes`.
    #[config(min = 1)]
    pub fallback_max_bytes: usize,
    /// Most UTF-8 bytes of any title.
    #[config(min = 1)]
    pub max_title_bytes: usize,
}

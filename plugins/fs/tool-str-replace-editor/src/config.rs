//! The row's config.

use dsh_runtime::config;

/// How the tool presents itself and its answers.
#[config]
pub struct Config {
    /// Most characters (UTF-16 code units) that a view returns before it is cut.
    #[config(default = 16_000, min = 1, max = 9_007_199_254_740_991)]
    pub max_output_chars: u64,
    /// What the model is told of the tool.
    #[config(
        default = "Views, creates and edits text files.\n\
            * `view` shows a file with line numbers, or the visible entries of a directory two levels deep; \
            long output ends with `<response clipped>`.\n\
            * `create` makes a new file and refuses a path that exists.\n\
            * `str_replace` replaces `old_str`, which must match whole text exactly and occur only once: \
            include enough lines around it.\n\
            * `insert` puts `new_str` after a line.",
        non_blank
    )]
    pub description: String,
}

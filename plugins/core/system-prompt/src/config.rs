//! The row's config.

use dsh_runtime::config;

/// What every prompt of this composition starts from.
#[config]
pub struct Config {
    /// Whether the prompt says which harness the model runs in.
    #[config(default = true)]
    pub include_harness_identity: bool,
    /// Whether runtime contexts are part of an assembly.
    #[config(default = true)]
    pub include_runtime_context: bool,
    /// Text of the section `deployment:persona`, with variables such as `{{cwd}}`; an agent's own section of that name replaces it.
    #[config(default = "")]
    pub persona: String,
    /// Order in which the model sees its tools. It holds `<unlisted-tools>` once, where all others go; by name when absent.
    pub tool_order: Option<Vec<String>>,
}

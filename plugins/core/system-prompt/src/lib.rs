//! What a model is told before the conversation: plugins register sections, runtime contexts, variables and tool schemas, for
//! the whole binary or for one agent, and every request assembles them afresh.

mod assembly;
mod config;
mod contribution;
mod error;
mod interpolate;
mod prompt;
mod render;
mod tool_order;

pub use assembly::{AssembleContext, AssembledContext, AssembledSection, Assembling, Assembly, SystemPromptAssemble, SystemPromptChange};
pub use config::Config;
pub use contribution::{Context, Section, Text, ToolOffer};
pub use error::{PromptError, RegisterError};
pub use prompt::{HARNESS_IDENTITY, Inject, PERSONA, SystemPrompt};
pub use render::{Rendered, render};

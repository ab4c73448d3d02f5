//! DeepSeek's chat-completions API as the provider `deepseek-official`.

mod adapter;
mod address;
mod body;
mod catalog;
mod client;
mod completion;
mod config;
mod credential;
mod detail;
mod effort;
mod exchange;
mod failure;
mod history_cache;
mod http_date;
mod names;
mod plugin;
mod reply;
mod roots;
mod sse;
mod translator;
mod wire_message;

pub use config::{Backoff, Config, Effort, ModelConfig, RetryConfig, RetryMode, Thinking};
pub use plugin::{DeepSeek, Inject};

//! The way to call a model: adapters register their provider, callers prepare a call and stream its reply, plugins listen
//! around it.

// The declaration macros name this crate by its public path.
extern crate self as dsh_llm;

mod adapter;
mod assembler;
mod dispatch;
mod error;
mod grammar;
mod invariant;
mod llm;
mod prepared;
mod request;
mod stream;

pub use adapter::{AdapterCall, LlmAdapter, ModelInfo};
pub use assembler::{AssembleError, Assembled, Assembler};
pub use error::LlmError;
pub use llm::{Inject, Llm};
pub use prepared::PreparedCall;
pub use request::{LlmRequest, Purpose, RequestMessages};
pub use stream::{ChunkStream, LlmAdaptersUpdated, LlmStream, StreamCall};

//! JSON as ECMAScript reads and writes it. The session log and the wire protocols were defined by programs of that language,
//! so strings may hold lone surrogates and numbers print in their shortest form; Rust's own types lose both.

mod number;
mod text;
mod tree;

pub use number::{JsonError, to_raw, to_text};
pub use serde_json::value::RawValue;
pub use text::JsString;
pub use tree::Json;

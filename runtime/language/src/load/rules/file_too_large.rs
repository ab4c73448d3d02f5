//! A file beyond any use.

use crate::diagnostics::{Diagnostic, Rule};
use crate::load::read::MAX_BYTES;

/// `DSH0013`
pub static RULE: Rule = Rule::error("DSH0013", "a file is too large", include_str!("file_too_large.md"));

/// `file` is the name by which messages call it.
pub fn file_too_large(file: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("`{file}` is too large")).note(format!("at most {MAX_BYTES} bytes are read"))
}

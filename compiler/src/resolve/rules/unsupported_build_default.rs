//! Defaults of build flags that this version does not have.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0134`
pub static RULE: Rule =
    Rule::error("DSH0134", "a default under `build` is not supported by this version", include_str!("unsupported_build_default.md"));

/// `name` is the key under `build`.
pub fn unsupported_build_default(name: &str, key: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, format!("`build.{name}` is not supported by this version")).at(key, "would have no effect").help("remove it")
}

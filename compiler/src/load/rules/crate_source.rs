//! A crate whose source is not clear.

use crate::diagnostics::{Diagnostic, Rule};
use dsh_language::load::{Key, Node};

/// `DSH0119`
pub static RULE: Rule = Rule::error("DSH0119", "a crate does not say where it comes from", include_str!("crate_source.md"));

/// The crate's entry under `crates`.
pub fn crate_source(name: &Key, source: &Node) -> Diagnostic {
    Diagnostic::new(&RULE, format!("crate `{}` does not have one clear source", name.text))
        .at(&source.place, "expected one source")
        .help("write `{path: …}`, `{git: …, rev: …}` or `{version: …}`")
}

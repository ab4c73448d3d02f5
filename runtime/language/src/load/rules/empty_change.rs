//! A change that changes nothing.

use crate::diagnostics::{Diagnostic, Rule};
use crate::load::reading::Named;

/// `DSH0116`
pub static RULE: Rule = Rule::error("DSH0116", "an entry changes nothing", include_str!("empty_change.md"));

/// The row that the entry names.
pub fn empty_change(id: &Named) -> Diagnostic {
    Diagnostic::new(&RULE, format!("this entry changes nothing in row `{}`", id.text))
        .at(&id.place, "no key is replaced")
        .help("add `config`, `disabled`, `plugin` or `isolate`, or remove the entry")
}

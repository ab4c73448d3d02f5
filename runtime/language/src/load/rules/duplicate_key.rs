//! A key given twice in one mapping.

use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::load::node::Key;

/// `DSH0005`
pub static RULE: Rule = Rule::error("DSH0005", "a mapping holds a key twice", include_str!("duplicate_key.md"));

/// `first` is where the key stands the first time.
pub fn duplicate_key(key: &Key, first: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, format!("key `{}` is given twice", key.text))
        .at(&key.place, "given again here")
        .and(first, "first given here")
        .help("keep one of the two")
}

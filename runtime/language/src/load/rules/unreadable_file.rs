//! A file that cannot be read.

use std::io::{Error, ErrorKind};

use crate::diagnostics::{Diagnostic, Rule};

/// `DSH0001`
pub static RULE: Rule = Rule::environment("DSH0001", "a file cannot be read", include_str!("unreadable_file.md"));

/// `file` is the name by which messages call it.
pub fn unreadable_file(file: &str, error: &Error) -> Diagnostic {
    let found = Diagnostic::new(&RULE, format!("cannot read `{file}`")).note(error.to_string());
    match error.kind() {
        ErrorKind::NotFound => found.help("check the path; a relative one starts at the current folder"),
        _ => found,
    }
}

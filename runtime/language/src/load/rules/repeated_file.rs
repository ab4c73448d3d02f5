//! A patch file that is applied already.

use crate::diagnostics::{Diagnostic, Rule};

/// `DSH0122`
pub static RULE: Rule = Rule::error("DSH0122", "a file is given to `--patch` that is applied already", include_str!("repeated_file.md"));

/// `file` is the name by which messages call it.
pub fn repeated_file(file: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("`{file}` is applied already"))
        .note("it was given before, or belongs to the profile")
        .help("remove this `--patch`")
}

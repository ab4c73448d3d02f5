//! A file that says nothing.

use std::path::Path;
use std::sync::Arc;

use crate::diagnostics::{Diagnostic, Place, Rule, SourceFile};
use crate::load::PROFILE_FILE;

/// `DSH0010`
pub static RULE: Rule = Rule::error("DSH0010", "a file is empty", include_str!("empty_file.md"));

/// The file holds nothing but comments and white space.
pub fn empty_file(file: &Arc<SourceFile>) -> Diagnostic {
    let is_profile = Path::new(file.name()).file_name().is_some_and(|name| name == PROFILE_FILE);
    Diagnostic::new(&RULE, "the file is empty").at(&Place::start_of(file), "nothing but comments and white space").help(match is_profile {
        true => "a profile has `dsh: 1` and `profile: NAME`",
        false => "an empty patch list is written `[]`",
    })
}

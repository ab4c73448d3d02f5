//! A profile that is not called as its folder is.

use crate::diagnostics::{Diagnostic, Rule};
use dsh_language::load::Named;

/// `DSH0106`
pub static RULE: Rule = Rule::error("DSH0106", "a profile's name differs from its folder's", include_str!("profile_name.md"));

/// `folder` is the name of the folder that holds the profile.
pub fn profile_name(name: &Named, folder: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("profile `{}` lies in a folder named `{folder}`", name.text))
        .at(&name.place, format!("expected `{folder}`"))
        .help(format!("write `profile: {folder}`, or rename the folder to `{}`", name.text))
}

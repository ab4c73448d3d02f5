//! A crate that the workspace has already.

use crate::diagnostics::{Diagnostic, Rule};
use crate::load::Named;

/// `DSH0136`
pub(crate) static RULE: Rule = Rule::error("DSH0136", "a crate under `crates` is the workspace's", include_str!("member.md"));

/// The workspace has a package of the name, in `folder`.
pub(crate) fn member(name: &Named, folder: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("the workspace has the package `{}` itself", name.text))
        .at(&name.place, "listed as a crate from outside")
        .note(format!("it lies in `{folder}`"))
        .help("remove it from `crates`, or give the crate another name")
}

/// A crate in a folder of the workspace would become a member by being named.
pub(crate) fn inside_workspace(name: &Named, folder: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("crate `{}` lies inside the workspace", name.text))
        .at(&name.place, "listed as a crate from outside")
        .note(format!("its folder is `{folder}`"))
        .help("move it to `plugins/<group>/`, where it need not be listed, or out of the workspace")
}

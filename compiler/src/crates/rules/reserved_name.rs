//! A crate with a name that the product needs itself.

use crate::diagnostics::{Diagnostic, Rule};
use crate::load::Named;

/// `DSH0128`
pub(crate) static RULE: Rule = Rule::error(
    "DSH0128",
    "a crate has a reserved name",
    "Packages called `dsh-build`, `dsh-declare`, `dsh-macros`, `dsh-expression` and `dsh-testkit` belong to the product and hold no \
     plugins, nor does `dsh-runtime`, which a profile may list to need no workspace. `dsh-agent-NAME` is what is built from profile `NAME`.",
);

const RESERVED: [&str; 8] = ["build", "declare", "macros", "runtime", "expression", "language", "testkit", "failpoints"];

/// Whether no plugin can have this name.
pub(crate) fn is_reserved(plugin: &str) -> bool {
    RESERVED.contains(&plugin)
}

/// The crate.
pub(crate) fn reserved_name(name: &Named) -> Diagnostic {
    Diagnostic::new(&RULE, format!("no plugin crate can be called `{}`", name.text))
        .at(&name.place, "a reserved name")
        .help("give the crate another name")
}

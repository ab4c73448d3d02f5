//! A name that leads to a package which only passes it on.

use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::index::ItemId;

/// The rule.
pub(crate) static RULE: Rule = Rule::error(
    "DSH0412",
    "a name in a declaration belongs to another package than the one that is named",
    include_str!("foreign_name.md"),
);

/// Makes the diagnostic.
pub(crate) fn foreign_name(at: &Place, named: &ItemId, declared: &ItemId, lib: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("`{}` does not declare `{}`, it passes on that of `{}`", named.package, named.name, declared.package))
        .at(at, format!("declared by `{}`", declared.package))
        .help(format!("name it as `{lib}::{}`, with `{}` as a dependency", declared.name, declared.package))
}

//! Realms, which this version cannot build.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0131`
pub static RULE: Rule = Rule::error(
    "DSH0131",
    "`isolate` is not supported by this version",
    "`isolate` gives a group a realm of its own for some services. This compiler reads it but cannot build it yet.",
);

/// The key.
pub fn unsupported_isolate(key: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, "`isolate` is not supported by this version")
        .at(key, "asks for a realm of its own")
        .help("remove it; in one realm each service has exactly one provider")
}

//! A string that its field does not take.

use crate::check::config::FieldAt;
use crate::diagnostics::{Diagnostic, Place, Rule, nearest, quoted};

/// `DSH0207`
pub static RULE: Rule = Rule::error("DSH0207", "a string is none of those that its field takes", include_str!("not_one_of.md"));

/// `text` is the string.
pub fn not_one_of(at: &FieldAt<'_>, place: &Place, text: &str) -> Diagnostic {
    let allowed = || at.decl.bounds.one_of.iter().map(AsRef::as_ref);
    Diagnostic::new(&RULE, format!("`{}` cannot be `{text}`", at.path))
        .at(place, format!("expected one of {}", quoted(allowed())))
        .help_if(nearest(text, allowed()).map(|near| format!("a similar value exists: `{near}`")))
}

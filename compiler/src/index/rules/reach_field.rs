//! A host or a file is named by a config field that the plugin does not have.

use crate::diagnostics::{Diagnostic, Place, Rule, nearest, quoted};

/// The rule.
pub(crate) static RULE: Rule =
    Rule::error("DSH0419", "`hosts` or `writes` names a config field that the plugin does not have", include_str!("reach_field.md"));

/// Makes the diagnostic. `known` are the fields of the config.
pub(crate) fn reach_field(at: &Place, field: &str, known: &[String]) -> Diagnostic {
    let names = || known.iter().map(String::as_str);
    let found =
        Diagnostic::new(&RULE, format!("the plugin's config has no field `{field}`")).at(at, format!("`{{{field}}}` stands for it"));
    let found = if known.is_empty() { found } else { found.note(format!("fields of the config: {}", quoted(names()))) };
    found.help_if(nearest(field, names()).map(|near| format!("a field with a similar name exists: `{near}`")))
}

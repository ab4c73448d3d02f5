//! A config field that must be given.

use crate::check::config::FieldAt;
use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0205`
pub static RULE: Rule = Rule::error("DSH0205", "a config lacks a required field", include_str!("missing_field.md"));

/// `anchor` is the config that lacks it, or what stands for it.
pub fn missing_field(at: &FieldAt<'_>, anchor: &Place, plugin: &str) -> Diagnostic {
    let found = Diagnostic::new(&RULE, format!("plugin `{}` needs the config field `{}`", plugin, at.path))
        .at(anchor, format!("no `{}` is given", at.path));
    let key = &at.decl.key;
    found.note_if(at.doc()).help(match at.path.strip_suffix(&**key).map(|outer| outer.trim_end_matches('.')) {
        None | Some("") => format!("add `{key}: …` to the row's `config`; a change of `config` replaces all of it"),
        Some(outer) => format!("add `{key}: …` to `{outer}`"),
    })
}

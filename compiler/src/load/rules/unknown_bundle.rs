//! A bundle that is not there.

use crate::diagnostics::{Diagnostic, Rule, nearest, quoted};
use dsh_language::load::Named;

/// `DSH0108`
pub static RULE: Rule = Rule::error("DSH0108", "no bundle has the name that a profile lists", include_str!("unknown_bundle.md"));

/// `searched` are the files that were looked for, `known` the names of the bundles that are there.
pub fn unknown_bundle(name: &Named, searched: &[String], known: &[String]) -> Diagnostic {
    let near = nearest(&name.text, known.iter().map(String::as_str));
    let found = Diagnostic::new(&RULE, format!("no bundle is named `{}`", name.text))
        .at(&name.place, "no such bundle")
        .note(format!("looked for {}", quoted(searched.iter().map(String::as_str))));
    let found = match known {
        [] => found.note("there are no bundles"),
        known => found.note(format!("known bundles: {}", quoted(known.iter().map(String::as_str)))),
    };
    found.help_if(near.map(|near| format!("a bundle with a similar name exists: `{near}`")))
}

//! Tags of YAML.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0007`
pub static RULE: Rule = Rule::error("DSH0007", "a tag other than `!expr`", include_str!("tag.md"));

/// `place` is the tag itself.
pub fn tag(place: &Place) -> Diagnostic {
    let name = &place.file.text()[place.span.clone()];
    Diagnostic::new(&RULE, format!("unknown tag `{name}`"))
        .at(place, "the only tag is `!expr`")
        .help("remove the tag: the type of the field decides what the value means; a string that starts with `!` needs quotes")
}

/// `!expr` before a list or a mapping. `place` is the tag.
pub fn expression_of_many(place: &Place) -> Diagnostic {
    let in_braces = place.file.text()[place.span.end..].trim_start().starts_with("{{");
    let help = match in_braces {
        true => "write the expression without `{{` and `}}`",
        false => "put `!expr` before each value that is to be computed; an expression that starts with `[` or `{` needs quotes",
    };
    Diagnostic::new(&RULE, "`!expr` stands before a list or a mapping").at(place, "an expression is one scalar").help(help)
}

//! Tags of YAML.

use crate::check::rules::is_variable_name;
use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0007`
pub static RULE: Rule = Rule::error("DSH0007", "a tag other than `!expr`", include_str!("tag.md"));

/// `place` is the tag itself.
pub fn tag(place: &Place) -> Diagnostic {
    let name = &place.file.text()[place.span.clone()];
    let value = place.file.text()[place.span.end..].lines().next().unwrap_or_default().trim();
    let help = match name.trim_start_matches('!').to_ascii_lowercase().as_str() {
        "env" | "environ" if is_variable_name(value) => format!("write `!expr env.{value}`"),
        "file" | "include" | "import" | "read" => "no other file is read: write the text here, a long one as a block after `|`".to_owned(),
        _ => "remove the tag: the type of the field decides what the value means; a string that starts with `!` needs quotes".to_owned(),
    };
    Diagnostic::new(&RULE, format!("unknown tag `{name}`")).at(place, "the only tag is `!expr`").help(help)
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

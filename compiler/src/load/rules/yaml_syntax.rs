//! Text that is not YAML.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0004`
pub static RULE: Rule = Rule::error(
    "DSH0004",
    "a file is not valid YAML",
    "The reader could not make sense of the text from the place shown on, so nothing after it was looked at. Most often the cause is \
     indentation, a tab, a missing quote, or `: ` inside a value without quotes.",
);

/// `info` is the parser's own words.
pub fn yaml_syntax(place: &Place, info: &str) -> Diagnostic {
    let (label, help) = explain(info);
    Diagnostic::new(&RULE, "the file is not valid YAML").at(place, label).help_if(help)
}

/// The parser's words for the usual slips say what it did not find; these say what the author did.
fn explain(info: &str) -> (&str, Option<&'static str>) {
    const KNOWN: &[(&str, &str, &str)] = &[
        ("tab", "a tab cannot stand here", "indent with spaces"),
        (
            "mapping values are not allowed in this context",
            "a value cannot start here",
            "put quotes around a value that holds `: `; after `!expr` too",
        ),
        (
            "did not find expected key",
            "a key of this mapping, or its end, was expected here",
            "keys of one mapping start in one column; a key and its value are separated by `: `",
        ),
        (
            "did not find expected '-' indicator",
            "an entry of this list, or its end, was expected here",
            "entries of one list start in one column, and so do the keys of one mapping",
        ),
        ("must be followed by a valid YAML whitespace", "a space was expected before this", "put a space after `:` and after `-`"),
        ("simple key expect", "a key without `:`", "write `key: value`"),
        ("did not find expected ',' or '}'", "`,` or `}` was expected here", "close the `{` that is open here"),
        ("expected ',' or ']'", "`,` or `]` was expected here", "close the `[` that is open here"),
        ("did not find expected node content", "a value was expected here", "close each `[` and `{` that is open here"),
        ("unexpected end of stream", "the text ends inside quotes", "close the quote"),
        ("unknown escape character", "no such escape", "in double quotes write `\\\\` for a backslash, or use single quotes"),
    ];
    match KNOWN.iter().find(|(part, ..)| info.contains(part)) {
        Some((_, label, help)) => (label, Some(help)),
        None => (info, None),
    }
}

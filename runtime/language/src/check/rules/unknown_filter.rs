//! A filter, test or method that does not exist.

use crate::diagnostics::{Diagnostic, Place, Rule, nearest};

/// `DSH0215`
pub static RULE: Rule =
    Rule::error("DSH0215", "an expression uses a filter, a test or a method that does not exist", include_str!("unknown_filter.md"));

/// Filters that compositions are likely to use.
const FILTERS: &[&str] =
    &["path", "int", "float", "bool", "json", "default", "lower", "upper", "trim", "replace", "split", "join", "length", "first", "last"];
/// Tests that compositions are likely to use.
const TESTS: &[&str] = &["defined", "undefined", "none", "startingwith", "endingwith", "in", "string", "number"];

/// `value | name`
pub fn unknown_filter(place: &Place, name: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("unknown filter `{name}`"))
        .at(place, "no such filter")
        .note("filters are minijinja's own and `path`, `int`, `float`, `bool` and `json`")
        .help_if(meant_filter(name).map(|near| format!("a similar filter exists: `{near}`")))
}

/// A filter of nearly this name, or one that the name starts with: `integer` is `int`.
fn meant_filter(name: &str) -> Option<&'static str> {
    nearest(name, FILTERS.iter().copied()).or_else(|| FILTERS.iter().copied().find(|filter| name.starts_with(filter)))
}

/// `value is name`
pub fn unknown_test(place: &Place, name: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("unknown test `{name}`"))
        .at(place, "no such test")
        .help_if(meant_test(name).map(|near| format!("a similar test exists: `{near}`")))
}

fn meant_test(name: &str) -> Option<&'static str> {
    match name {
        "set" | "present" | "given" | "some" => Some("defined"),
        "unset" | "absent" | "missing" | "null" => Some("undefined"),
        name => nearest(name, TESTS.iter().copied()),
    }
}

/// `value.name(…)`
pub fn method_call(place: &Place, name: &str) -> Diagnostic {
    let found = Diagnostic::new(&RULE, format!("values have no method `{name}`")).at(place, "called as a method");
    match FILTERS.contains(&name) {
        true => found.help(format!("use the filter: `… | {name}`")),
        false if name == "get" => found.help("a variable that may not be set: `env.NAME | default(…)`"),
        false => found.help("use a filter: `value | filter(…)`"),
    }
}

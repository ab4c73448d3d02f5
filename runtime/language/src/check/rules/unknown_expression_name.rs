//! A name that has no value in expressions.

use crate::diagnostics::{Diagnostic, Place, Rule, nearest, quoted};
use crate::load::translate_javascript;
use dsh_expression::{CONSTANT_NAME, MACHINE_NAMES};

/// `DSH0214`
pub static RULE: Rule = Rule::error("DSH0214", "an expression uses a name that has no value", include_str!("unknown_expression_name.md"));

/// `place` is the name, `text` the whole expression.
pub fn unknown_expression_name(place: &Place, name: &str, text: &str) -> Diagnostic {
    let known = || MACHINE_NAMES.iter().copied().chain(std::iter::once(CONSTANT_NAME));
    let is_variable = name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    let small = known().find(|known| *known == name.to_ascii_lowercase());
    let help = if let Some(small) = small {
        Some(format!("names are written in small letters: `{small}`"))
    } else if let Some(here) = elsewhere(name) {
        Some(here.to_owned())
    } else if is_variable {
        Some(format!("an environment variable is written `env.{name}`"))
    } else {
        let translated = translate_javascript(text).filter(|expression| expression != text.trim());
        let translated = translated.map(|expression| format!("write `{expression}`"));
        translated.or_else(|| nearest(name, known()).map(|near| format!("a similar name exists: `{near}`")))
    };
    Diagnostic::new(&RULE, format!("unknown name `{name}` in an expression"))
        .at(place, "has no value")
        .note(format!("known names: {}", quoted(known())))
        .help_if(help)
}

/// What says here what a name says in other languages.
fn elsewhere(name: &str) -> Option<&'static str> {
    Some(match name {
        "os" | "system" => "the system is `platform`: `linux`, `macos`, …",
        "pwd" | "workdir" | "dir" => "the folder in which the binary was started is `cwd`",
        "user" | "username" => "the user's name is a variable: `env.USER`",
        "int" | "float" | "bool" | "json" | "path" | "lower" | "upper" | "trim" | "length" | "default" => {
            "it is a filter: `value | filter`"
        }
        "len" | "count" | "size" => "the length of a text is a filter: `value | length`",
        "str" | "string" => "a text is made with `~`: `value ~ ''`",
        "defined" | "isset" | "exists" => "whether a variable is set is asked with `env.NAME is defined`",
        _ => return None,
    })
}

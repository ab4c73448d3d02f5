//! Which files need to be parsed. Most files of a plugin declare nothing and have no modules of their own; a glance at the text
//! shows that in a hundredth of the time that parsing takes.

use dsh_declare::source::declares;

/// Whether a file may hold a declaration or a `mod name;`. It may say so of a file that has neither, in a comment or a string.
pub(super) fn needs_parsing(text: &str) -> bool {
    text.match_indices('#').any(|(at, _)| is_marker(&text[at + 1..])) || text.match_indices("mod").any(|(at, _)| is_module(text, at))
}

/// Whether what follows a `#` is an attribute of a declaration.
fn is_marker(rest: &str) -> bool {
    let Some(attribute) = rest.trim_start().strip_prefix('[') else { return false };
    let end = attribute.find(['(', ']', '=']).unwrap_or(attribute.len());
    match attribute[..end].rsplit("::").next().map_or("", str::trim) {
        "derive" => arguments(&attribute[end..]).contains("Inject"),
        // What it may apply is looked at by the parser.
        "cfg_attr" => true,
        last => declares(last),
    }
}

/// The text up to the first closing parenthesis.
fn arguments(rest: &str) -> &str {
    rest.split(')').next().unwrap_or(rest)
}

/// Whether `mod` at `at` is a word before a name and a semicolon.
fn is_module(text: &str, at: usize) -> bool {
    let in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let rest = &text[at + "mod".len()..];
    if text[..at].ends_with(in_word) || rest.starts_with(in_word) {
        return false;
    }
    rest.trim_start().trim_start_matches("r#").trim_start_matches(in_word).trim_start().starts_with(';')
}

#[cfg(test)]
mod tests {
    use super::needs_parsing;

    #[test]
    fn finds_every_way_to_write_a_declaration() {
        let with = [
            "#[service(key = \"a\")]",
            "#[dsh_runtime::config]",
            "# [ plugin ]",
            "#[derive(Clone, dsh_runtime::Inject)]",
            "#[derive(\n    Inject,\n)]",
            "#[cfg_attr(a, derive(Inject))]",
            "pub(crate) mod a ;",
            "mod r#type;",
        ];
        for text in with {
            assert!(needs_parsing(text), "{text}");
        }
        let without =
            ["#[derive(Clone)]", "#[cfg(test)]\nmod tests {}", "modest;", "let model = #[inline] a;", "use a::{Inject};", "\"a # b\""];
        for text in without {
            assert!(!needs_parsing(text), "{text}");
        }
    }
}

//! A name with other characters than names have.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0104`
pub static RULE: Rule = Rule::error("DSH0104", "a name has characters that names do not have", include_str!("bad_name.md"));

/// `what` says what is named, such as `a row's id`.
pub fn bad_name(name: &str, place: &Place, what: &str) -> Diagnostic {
    let proposal = proposal(name);
    Diagnostic::new(&RULE, format!("`{name}` cannot be {what}"))
        .at(place, "not a name")
        .note("a name is a lower-case letter, then lower-case letters, digits and hyphens")
        .help_if(proposal.map(|proposal| format!("write `{proposal}`")))
}

/// The name with its words in lower case, joined by hyphens; of a path, the name of the file.
fn proposal(name: &str) -> Option<String> {
    let file = name.trim_end_matches('/').rsplit('/').next().unwrap_or(name);
    let name = file.strip_suffix(".yml").or_else(|| file.strip_suffix(".yaml")).unwrap_or(file);
    let mut words = String::new();
    let mut before = ' ';
    for letter in name.chars() {
        let starts_word = letter.is_ascii_uppercase() && before.is_ascii_lowercase();
        before = letter;
        let follows_word = !words.is_empty() && !words.ends_with('-');
        if !letter.is_ascii_alphanumeric() {
            if follows_word {
                words.push('-');
            }
            continue;
        }
        if starts_word {
            words.push('-');
        }
        words.push(letter.to_ascii_lowercase());
    }
    let words = words.trim_end_matches('-');
    words.starts_with(|first: char| first.is_ascii_lowercase()).then(|| words.to_owned())
}

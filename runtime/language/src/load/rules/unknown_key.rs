//! A key that means nothing where it stands.

use crate::diagnostics::{Diagnostic, Rule, nearest, quoted};
use crate::load::node::Key;

/// `DSH0101`
pub static RULE: Rule = Rule::error("DSH0101", "a key that is not known where it stands", include_str!("unknown_key.md"));

/// `owner` names what holds the key, such as `a row`.
pub fn unknown_key(key: &Key, owner: &str, known: &[&str]) -> Diagnostic {
    let found = Diagnostic::new(&RULE, format!("unknown key `{}` in {owner}", key.text))
        .at(&key.place, format!("not a key of {owner}"))
        .note(format!("known keys: {}", quoted(known.iter().copied())));
    if let Some((before, value)) = without_space(&key.text, known) {
        return found.help(format!("put a space after the colon: `{before}: {value}`"));
    }
    found.help_if(meant_key(&key.text, known).map(|meant| format!("a key with a similar name exists: `{meant}`")))
}

/// The known key that an unknown one was probably meant to be.
pub fn meant_key(key: &str, known: &[&str]) -> Option<String> {
    let meant = without_space(key, known).map(|(before, _)| before);
    meant.or_else(|| nearest(key, known.iter().copied())).map(str::to_owned)
}

/// `id:tools` is one word in YAML.
fn without_space<'k>(key: &'k str, known: &[&str]) -> Option<(&'k str, &'k str)> {
    key.split_once(':').filter(|(before, _)| known.contains(before))
}

//! A key that means nothing where it stands.

use crate::diagnostics::{Diagnostic, Rule, nearest, quoted};
use crate::load::node::Key;

/// `DSH0101`
pub static RULE: Rule = Rule::error(
    "DSH0101",
    "a key that is not known where it stands",
    "A key that is passed over looks as if it had an effect. The message lists the keys that are known there and the nearest of them.",
);

/// `owner` names what holds the key, such as `a row`.
pub fn unknown_key(key: &Key, owner: &str, known: &[&str]) -> Diagnostic {
    let near = nearest(&key.text, known.iter().copied());
    Diagnostic::new(&RULE, format!("unknown key `{}` in {owner}", key.text))
        .at(&key.place, format!("not a key of {owner}"))
        .note(format!("known keys: {}", quoted(known.iter().copied())))
        .help_if(near.map(|near| format!("a key with a similar name exists: `{near}`")))
}

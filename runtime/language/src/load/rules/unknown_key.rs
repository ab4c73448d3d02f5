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
    if let Some(help) = elsewhere(&key.text, known) {
        return found.help(help);
    }
    match meant_key(&key.text, known) {
        Some(meant) => found.help(format!("a key with a similar name exists: `{meant}`")),
        None => found.help_if(its_place(&key.text, owner, known)),
    }
}

/// What says here what a key says elsewhere, where the nearest name would mislead.
fn elsewhere(key: &str, known: &[&str]) -> Option<String> {
    match key {
        _ if known.contains(&"config") && key.starts_with("config.") => {
            let fields = key.trim_start_matches("config.").replace('.', ": {");
            let closing = "}".repeat(fields.matches('{').count());
            Some(format!("write `config: {{{fields}: …{closing}}}`; a change of `config` replaces all of it"))
        }
        "extends" | "extend" | "inherits" | "base" | "from" if known.contains(&"bundles") => {
            Some("rows that several profiles share are a bundle, listed under `bundles`".to_owned())
        }
        "version" if known.contains(&"dsh") => Some("the version of the language is written `dsh: 1`".to_owned()),
        "name" if known.contains(&"dsh") => Some("the name of a profile is written `profile: …`".to_owned()),
        "env" | "environment" if known.contains(&"patch") => {
            Some("the environment is read where the binary runs: `!expr env.NAME` in a row's `config`".to_owned())
        }
        _ => None,
    }
}

/// Where a key that means something elsewhere belongs, and how to say what another might be meant to.
fn its_place(key: &str, owner: &str, known: &[&str]) -> Option<String> {
    let holds_patch = known.contains(&"patch");
    match key {
        "insert" | "id" | "plugin" | "config" | "disabled" | "isolate" | "before" | "after" | "into" if holds_patch => {
            Some(format!("`{key}` belongs to an entry of `patch`: indent it below the entry's `- `"))
        }
        "plugins" | "rows" if holds_patch => Some("rows are added in `patch`: `- insert: [{id: …, plugin: …}]`".to_owned()),
        "before" | "after" | "into" if owner == "a row" => Some(format!("write `{key}` beside `insert`, not in a row of it")),
        "delete" | "remove" | "removed" => Some("take a row out with `disabled: true`".to_owned()),
        _ => None,
    }
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

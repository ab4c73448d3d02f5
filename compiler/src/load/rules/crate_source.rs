//! A crate whose source is not clear.

use crate::diagnostics::{Diagnostic, Rule};
use dsh_language::load::{Key, Node, NodeKind};

/// `DSH0119`
pub static RULE: Rule = Rule::error("DSH0119", "a crate does not say where it comes from", include_str!("crate_source.md"));

/// The crate's entry under `crates`.
pub fn crate_source(name: &Key, source: &Node) -> Diagnostic {
    let help = match (source.get("git"), source.get("rev")) {
        (Some(_), None) => "add `rev: …`, the commit that is meant",
        _ => "write `{path: …}`, `{git: …, rev: …}` or `{version: …}`",
    };
    Diagnostic::new(&RULE, format!("crate `{}` does not have one clear source", name.text))
        .at(&source.place, "expected one source")
        .help(help)
}

/// A crate whose source is named as a manifest of cargo can and a profile cannot; `None` when it is not.
pub fn named_as_for_cargo(name: &Key, source: &Node) -> Option<Diagnostic> {
    let NodeKind::Map(entries) = &source.kind else { return None };
    let (key, why, help) = entries.iter().find_map(|(key, _)| {
        let (why, help) = match key.text.as_str() {
            "branch" | "tag" => ("may lead to another commit tomorrow", "name the commit: `rev: …`"),
            "registry" | "registry-index" => (
                "only cargo's default registry can be asked",
                "name a commit (`git`, `rev`) or a folder (`path`), or have cargo's settings (`.cargo/config.toml`) replace the default \
                 registry by this one",
            ),
            "features" | "default-features" => ("a plugin is built as it is", "features that it needs are enabled in its own `Cargo.toml`"),
            _ => return None,
        };
        Some((key, why, help))
    })?;
    Some(Diagnostic::new(&RULE, format!("`{}` cannot be given for crate `{}`", key.text, name.text)).at(&key.place, why).help(help))
}

//! The vocabulary of logs: the session events that a binary may write and must know, each with a digest of its form.

use std::collections::BTreeSet;

use dsh_declare::digest::{canonical_text, combine, fnv1a};
use dsh_declare::model::SessionEventDecl;

use quote::ToTokens;

use crate::index::{Declared, Index};

/// A type of session event with the digest of its form.
pub(crate) struct Word<'i> {
    /// Its declaration.
    pub event: &'i Declared<SessionEventDecl>,
    /// Digest over its name, its flags and its members with their types as they are written, and nothing else: words that explain it may
    /// change. What the types of members hold is not looked at.
    pub digest: u64,
}

/// The session events of packages, by name.
pub(crate) fn vocabulary<'i>(index: &'i Index, packages: &BTreeSet<&str>) -> Vec<Word<'i>> {
    let declared = index.session_events.values().filter(|event| packages.contains(event.id.package.as_str()));
    let mut words: Vec<Word<'i>> = declared.map(|event| Word { event, digest: digest(&event.decl) }).collect();
    words.sort_by_key(|word| &word.event.decl.event.value);
    words
}

/// The digest of a vocabulary, 16 hex digits: over the digests of its events in the order of their names.
pub(crate) fn digest_of(words: &[Word<'_>]) -> String {
    format!("{:016x}", combine(&words.iter().map(|word| word.digest).collect::<Vec<_>>()))
}

impl Word<'_> {
    /// The digest as logs have it: its first half in 8 hex digits, enough to tell one form from another.
    pub(crate) fn short(&self) -> String {
        format!("{:08x}", self.digest >> 32)
    }
}

fn digest(decl: &SessionEventDecl) -> u64 {
    let mut form = format!("{} surface={} ignorable={}", decl.event.value, decl.surface, decl.ignorable);
    for field in &decl.fields {
        let (key, optional) = (field.key.as_deref().unwrap_or_default(), if field.optional { "?" } else { "" });
        form += &format!("\n{key}{optional}: {}", canonical_text(field.ty.to_token_stream()));
    }
    fnv1a(form.as_bytes())
}

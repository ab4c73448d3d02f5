//! Ids of rows: those of the reference may hold any character, and may be absent.

use std::collections::{BTreeMap, BTreeSet};

use crate::load::is_name;

#[derive(Default)]
pub(super) struct Ids {
    /// By the id that the reference has.
    known: BTreeMap<String, String>,
    taken: BTreeSet<String>,
}

impl Ids {
    /// The id here of an id there.
    pub(super) fn of(&mut self, original: &str) -> String {
        if let Some(known) = self.known.get(original) {
            return known.clone();
        }
        let id = if is_name(original) { original.to_owned() } else { self.free(&named(original)) };
        self.taken.insert(id.clone());
        self.known.insert(original.to_owned(), id.clone());
        id
    }

    /// An id for a row that has none.
    pub(super) fn for_plugin(&mut self, plugin: &str) -> String {
        let id = self.free(plugin);
        self.taken.insert(id.clone());
        id
    }

    fn free(&self, wanted: &str) -> String {
        let numbered = (2..).map(|number| format!("{wanted}-{number}"));
        std::iter::once(wanted.to_owned()).chain(numbered).find(|id| !self.taken.contains(id)).unwrap_or_default()
    }
}

/// The nearest text that is a name: `toolBash` and `tool_bash` give `tool-bash`.
fn named(original: &str) -> String {
    let mut name = String::new();
    for letter in original.chars() {
        match letter {
            'a'..='z' | '0'..='9' => name.push(letter),
            'A'..='Z' => {
                if name.ends_with(|last: char| last.is_ascii_lowercase() || last.is_ascii_digit()) {
                    name.push('-');
                }
                name.push(letter.to_ascii_lowercase());
            }
            _ if name.ends_with('-') || name.is_empty() => {}
            _ => name.push('-'),
        }
    }
    let name = name.trim_end_matches('-');
    if is_name(name) { name.to_owned() } else { format!("row-{name}").trim_end_matches('-').to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_become_names_and_stay_different() {
        let mut ids = Ids::default();
        for (original, id) in [
            ("tool-bash", "tool-bash"),
            ("toolBash", "tool-bash-2"),
            ("tool_bash", "tool-bash-3"),
            ("toolBash", "tool-bash-2"),
            ("3f9a", "row-3f9a"),
            ("é", "row"),
            ("llm.Main", "llm-main"),
        ] {
            assert_eq!(ids.of(original), id, "{original}");
        }
        assert_eq!(ids.for_plugin("tool-bash"), "tool-bash-4");
    }
}

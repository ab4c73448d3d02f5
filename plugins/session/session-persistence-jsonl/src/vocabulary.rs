//! The types of events that a log may hold, as its header names them: those of the binary that wrote it.

use std::collections::BTreeMap;

use dsh_runtime::Vocabulary;
use serde::{Deserialize, Serialize};

/// A vocabulary in a header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Words {
    digest: String,
    /// Each type with the digest of its form.
    events: BTreeMap<String, String>,
}

impl From<&Vocabulary> for Words {
    fn from(vocabulary: &Vocabulary) -> Self {
        let events = vocabulary.words.iter().map(|(kind, form)| ((*kind).to_owned(), (*form).to_owned())).collect();
        Self { digest: vocabulary.digest.to_owned(), events }
    }
}

impl Words {
    /// How a log's vocabulary differs from that of its reader, in words; `None` where it does not.
    pub(crate) fn difference(&self, reader: &Self) -> Option<String> {
        if self == reader {
            return None;
        }
        let named = |kinds: Vec<&String>| kinds.iter().map(|kind| format!("`{kind}`")).collect::<Vec<_>>().join(", ");
        let unknown = self.events.keys().filter(|kind| !reader.events.contains_key(*kind)).collect();
        let new = reader.events.keys().filter(|kind| !self.events.contains_key(*kind)).collect();
        let changed = self.events.iter().filter(|(kind, form)| reader.events.get(*kind).is_some_and(|other| other != *form));
        let changed = changed.map(|(kind, _)| kind).collect();
        let lists =
            [("not known to this binary", unknown), ("of another form in this binary", changed), ("known to this binary alone", new)];
        let parts = lists.into_iter().map(|(what, kinds)| (what, named(kinds))).filter(|(_, kinds)| !kinds.is_empty());
        let parts: Vec<String> = parts.map(|(what, kinds)| format!("{what}: {kinds}")).collect();
        Some(format!("its log has the vocabulary {}, this binary has {}; {}", self.digest, reader.digest, parts.join("; ")))
    }
}

#[cfg(test)]
mod tests {
    use dsh_runtime::Vocabulary;

    use super::Words;

    const OWN: Vocabulary = Vocabulary { digest: "1111111111111111", words: &[("a/a", "01"), ("b/b", "02"), ("c/c", "03")] };

    #[test]
    fn a_vocabulary_does_not_differ_from_itself() {
        assert_eq!(Words::from(&OWN).difference(&Words::from(&OWN)), None);
    }

    #[test]
    fn a_difference_names_every_type_that_is_gone_changed_or_new() {
        let log = Vocabulary { digest: "2222222222222222", words: &[("a/a", "01"), ("b/b", "99"), ("x/x", "04"), ("y/y", "05")] };
        let difference = Words::from(&log).difference(&Words::from(&OWN));
        assert_eq!(
            difference.as_deref(),
            Some(
                "its log has the vocabulary 2222222222222222, this binary has 1111111111111111; not known to this binary: `x/x`, `y/y`; \
                 of another form in this binary: `b/b`; known to this binary alone: `c/c`"
            )
        );
    }
}

//! A list of regular expressions from the config.

use regex_lite::Regex;

/// An entry of a list that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PatternError {
    /// It has no characters but white space, or white space around them.
    #[error("`{list}` holds `{pattern}`: an entry must not be blank or have white space around it")]
    Padded {
        /// The list.
        list: &'static str,
        /// The entry.
        pattern: String,
    },
    /// It stands in the list twice.
    #[error("`{list}` holds `{pattern}` twice")]
    Duplicate {
        /// The list.
        list: &'static str,
        /// The entry.
        pattern: String,
    },
    /// It is no regular expression.
    #[error("`{list}` holds `{pattern}`, which is no regular expression: {source}")]
    Invalid {
        /// The list.
        list: &'static str,
        /// The entry.
        pattern: String,
        /// The parser's words.
        source: regex_lite::Error,
    },
}

/// Compiled patterns. They match anywhere in a name and tell upper from lower case.
pub struct Patterns(Vec<Regex>);

impl Patterns {
    /// Compiles the entries of the config field `list`.
    pub fn compile(list: &'static str, entries: &[String]) -> Result<Self, PatternError> {
        let one = |(at, entry): (usize, &String)| {
            let pattern = entry.clone();
            if entry.trim().is_empty() || entry.trim() != entry {
                return Err(PatternError::Padded { list, pattern });
            }
            if entries[..at].contains(entry) {
                return Err(PatternError::Duplicate { list, pattern });
            }
            Regex::new(entry).map_err(|source| PatternError::Invalid { list, pattern, source })
        };
        entries.iter().enumerate().map(one).collect::<Result<_, _>>().map(Self)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one matches.
    pub fn match_any(&self, name: &str) -> bool {
        self.0.iter().any(|pattern| pattern.is_match(name))
    }
}

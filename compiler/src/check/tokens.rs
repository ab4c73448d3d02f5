//! The tokens of an expression, as far as conditions are told apart by them.

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A name, a word of the language or a number.
    Word(&'t str),
    /// A string with its quotes.
    Text(&'t str),
    /// An operator or a bracket.
    Sign(&'t str),
}

impl<'t> Token<'t> {
    /// As it was written.
    pub fn text(&self) -> &'t str {
        match self {
            Self::Word(text) | Self::Text(text) | Self::Sign(text) => text,
        }
    }

    /// The same for strings in either kind of quotes.
    pub fn canonical(&self) -> String {
        match self {
            Self::Text(text) if !text.contains(['\\', '\'']) => format!("'{}'", text.trim_matches('"')),
            token => token.text().to_owned(),
        }
    }

    /// Whether it is a word or a sign.
    pub fn is(&self, text: &str) -> bool {
        !matches!(self, Self::Text(_)) && self.text() == text
    }

    /// Whether it is a word that is none of the language's own.
    pub fn is_name(&self) -> bool {
        matches!(self, Self::Word(word) if !["not", "and", "or", "in", "is", "if", "else"].contains(word))
    }

    /// Whether it compares or tests.
    pub fn compares(&self) -> bool {
        ["==", "!=", "<", ">", "<=", ">=", "in", "is"].iter().any(|word| self.is(word))
    }

    /// Whether it opens a bracket.
    pub fn opens(&self) -> bool {
        matches!(self, Self::Sign("(" | "[" | "{"))
    }

    /// Whether it closes a bracket.
    pub fn closes(&self) -> bool {
        matches!(self, Self::Sign(")" | "]" | "}"))
    }
}

/// The tokens of an expression that parses.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let (length, make): (usize, fn(&'_ str) -> Token<'_>) = match first {
            _ if first.is_whitespace() => {
                at += first.len_utf8();
                continue;
            }
            '\'' | '"' => (string_length(rest, first), |text| Token::Text(text)),
            _ if is_word(first) => (rest.find(|letter| !is_word(letter)).unwrap_or(rest.len()), |text| Token::Word(text)),
            _ if ["==", "!=", "<=", ">="].iter().any(|sign| rest.starts_with(sign)) => (2, |text| Token::Sign(text)),
            _ => (first.len_utf8(), |text| Token::Sign(text)),
        };
        tokens.push(make(&rest[..length]));
        at += length;
    }
    tokens
}

fn string_length(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if letter == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

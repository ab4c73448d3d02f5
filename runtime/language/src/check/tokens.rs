//! The tokens of an expression.

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'t> {
    /// A name, a word of the language or a number.
    Word(&'t str),
    /// A string with its quotes.
    Text(&'t str),
    /// An operator or a bracket.
    Sign(&'t str),
}

impl<'t> Token<'t> {
    /// As it was written.
    #[must_use]
    pub fn text(&self) -> &'t str {
        match self {
            Self::Word(text) | Self::Text(text) | Self::Sign(text) => text,
        }
    }

    /// The same for strings in either kind of quotes.
    #[must_use]
    pub fn canonical(&self) -> String {
        match self {
            Self::Text(text) if !text.contains(['\\', '\'']) => format!("'{}'", text.trim_matches('"')),
            token => token.text().to_owned(),
        }
    }

    /// Whether it is this word or sign.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        !matches!(self, Self::Text(_)) && self.text() == text
    }

    /// Whether it is a word that is none of the language's own.
    #[must_use]
    pub fn is_name(&self) -> bool {
        matches!(self, Self::Word(word) if !["not", "and", "or", "in", "is", "if", "else"].contains(word))
    }

    /// Whether it is a number, or the first part of one.
    #[must_use]
    pub fn is_number(&self) -> bool {
        matches!(self, Self::Word(word) if word.starts_with(char::is_numeric))
    }

    /// Whether it compares or tests.
    #[must_use]
    pub fn compares(&self) -> bool {
        ["==", "!=", "<", ">", "<=", ">=", "in", "is"].iter().any(|word| self.is(word))
    }

    /// Whether it opens a bracket.
    #[must_use]
    pub fn opens(&self) -> bool {
        matches!(self, Self::Sign("(" | "[" | "{"))
    }

    /// Whether it closes a bracket.
    #[must_use]
    pub fn closes(&self) -> bool {
        matches!(self, Self::Sign(")" | "]" | "}"))
    }
}

/// The tokens of an expression. What does not parse gives some too.
#[must_use]
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    placed(text).into_iter().map(|(_, token)| token).collect()
}

/// The same with the byte at which each starts.
pub(super) fn placed(text: &str) -> Vec<(usize, Token<'_>)> {
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
        tokens.push((at, make(&rest[..length])));
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

/// Places of the tokens that no bracket is around; the brackets themselves count.
#[must_use]
pub fn outermost(tokens: &[Token<'_>]) -> Vec<usize> {
    let mut depth = 0_usize;
    let mut outer = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if token.closes() {
            depth = depth.saturating_sub(1);
        }
        if depth == 0 {
            outer.push(at);
        }
        if token.opens() {
            depth += 1;
        }
    }
    outer
}

/// Whether one pair of brackets is around everything.
#[must_use]
pub fn is_bracketed(tokens: &[Token<'_>]) -> bool {
    let [first, .., last] = tokens else { return false };
    // The bracket that is open at the start is closed by the last token when only the two are outermost.
    first.is("(") && last.is(")") && outermost(tokens) == [0, tokens.len() - 1]
}

//! Line ends: texts are compared and edited with LF, and written in the style that the file had.

/// How far from the start, in UTF-16 code units, the style is looked for.
const SAMPLE_UNITS: usize = 4096;

/// How a file ends its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewlineStyle {
    /// `\n`
    Lf,
    /// `\r\n`
    CrLf,
}

impl NewlineStyle {
    /// The style that the start of a text uses more; LF when neither leads.
    pub fn of(text: &str) -> Self {
        let (mut units, mut pairs, mut lone, mut after_cr) = (0, 0_usize, 0_usize, false);
        for symbol in text.chars() {
            units += symbol.len_utf16();
            if units > SAMPLE_UNITS {
                break;
            }
            match (symbol, after_cr) {
                ('\n', true) => pairs += 1,
                ('\n', false) => lone += 1,
                _ => {}
            }
            after_cr = symbol == '\r';
        }
        if pairs > lone { Self::CrLf } else { Self::Lf }
    }

    /// Gives every line of a text with LF this end.
    pub fn apply(self, text: &str) -> String {
        match self {
            Self::Lf => text.to_owned(),
            Self::CrLf => text.replace('\n', "\r\n"),
        }
    }
}

/// Turns each CRLF into LF; a lone CR stays.
pub fn to_lf(text: &str) -> String {
    text.replace("\r\n", "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_is_what_leads_in_the_sample() {
        assert_eq!(NewlineStyle::of(""), NewlineStyle::Lf);
        assert_eq!(NewlineStyle::of("a\r\nb\n"), NewlineStyle::Lf);
        assert_eq!(NewlineStyle::of("a\r\nb\r\nc\n"), NewlineStyle::CrLf);
        let late = format!("{}\r\n\r\n", "x".repeat(SAMPLE_UNITS));
        assert_eq!(NewlineStyle::of(&late), NewlineStyle::Lf);
        // Each of these symbols takes two code units, so the line ends lie outside the sample.
        let wide = format!("{}\r\n\r\n", "\u{1f600}".repeat(SAMPLE_UNITS / 2));
        assert_eq!(NewlineStyle::of(&wide), NewlineStyle::Lf);
    }
}

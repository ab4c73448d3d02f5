//! What a command printed, as much of it as is shown.

use dsh_terminal::{EscapeFilter, TextSink};

/// The beginning of a command's output as plain text. Memory is bounded: what is not shown is not kept.
pub struct Captured {
    filter: EscapeFilter,
    text: Text,
}

struct Text {
    /// UTF-16 code units that are shown.
    max_units: usize,
    kept: String,
    /// UTF-16 code units of `kept`.
    units: usize,
    /// The beginning of a character whose end has not come yet.
    partial: Vec<u8>,
    /// More came than is kept.
    overflowed: bool,
}

/// A command's output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapturedText {
    /// The text, without one line feed at its end.
    pub text: String,
    /// Whether more was printed.
    pub clipped: bool,
}

impl Captured {
    /// Nothing yet.
    pub fn new(max_units: usize) -> Self {
        let text = Text { max_units, kept: String::new(), units: 0, partial: Vec::new(), overflowed: false };
        Self { filter: EscapeFilter::default(), text }
    }

    /// Takes output.
    pub fn push(&mut self, output: &[u8]) {
        self.filter.feed(output, &mut self.text);
    }

    /// What is shown.
    pub fn finish(mut self) -> CapturedText {
        if !self.text.partial.is_empty() {
            self.text.keep("\u{fffd}");
        }
        let Text { max_units, mut kept, mut units, overflowed, .. } = self.text;
        if !overflowed && kept.ends_with('\n') {
            kept.pop();
            units -= 1;
        }
        let clipped = overflowed || units > max_units;
        if clipped {
            kept.truncate(prefix_bytes(&kept, max_units));
        }
        CapturedText { text: kept, clipped }
    }
}

impl TextSink for Text {
    fn text(&mut self, bytes: &[u8]) {
        if self.overflowed {
            return;
        }
        let joined;
        let mut rest = if self.partial.is_empty() {
            bytes
        } else {
            joined = [std::mem::take(&mut self.partial).as_slice(), bytes].concat();
            joined.as_slice()
        };
        while !rest.is_empty() && !self.overflowed {
            match std::str::from_utf8(rest) {
                Ok(text) => {
                    self.keep(text);
                    return;
                }
                Err(error) => {
                    let (valid, broken) = rest.split_at(error.valid_up_to());
                    // It is valid up to there, so nothing is replaced.
                    self.keep(&String::from_utf8_lossy(valid));
                    match error.error_len() {
                        Some(length) => {
                            self.keep("\u{fffd}");
                            rest = &broken[length..];
                        }
                        None => {
                            self.partial = broken.to_vec();
                            return;
                        }
                    }
                }
            }
        }
    }
}

impl Text {
    /// Keeps text, one code unit more than is shown: whether a line feed at the end counts is known only then.
    fn keep(&mut self, text: &str) {
        if self.overflowed {
            return;
        }
        let room = self.max_units + 1 - self.units;
        let fits = prefix_bytes(text, room);
        self.kept.push_str(&text[..fits]);
        self.units += units(&text[..fits]);
        self.overflowed = fits < text.len();
    }
}

fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Bytes of the longest beginning of `text` that has at most `max_units` UTF-16 code units.
fn prefix_bytes(text: &str, max_units: usize) -> usize {
    if text.len() <= max_units {
        return text.len();
    }
    let mut left = max_units;
    let too_much = text.char_indices().find(|(_, character)| match left.checked_sub(character.len_utf16()) {
        Some(rest) => {
            left = rest;
            false
        }
        None => true,
    });
    too_much.map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::{Captured, CapturedText};

    fn captured(output: &[u8], max_units: usize, piece: usize) -> CapturedText {
        let mut captured = Captured::new(max_units);
        output.chunks(piece).for_each(|piece| captured.push(piece));
        captured.finish()
    }

    #[test]
    fn the_beginning_is_kept_however_the_output_is_cut() {
        for (output, max_units, text, clipped) in [
            (&b"abc"[..], 3, "abc", false),
            (b"abc\n", 3, "abc", false),
            (b"abc\n\n", 3, "abc", true),
            (b"abcd", 3, "abc", true),
            ("a\u{1f600}b".as_bytes(), 4, "a\u{1f600}b", false),
            ("a\u{1f600}b".as_bytes(), 3, "a\u{1f600}", true),
            ("a\u{1f600}b".as_bytes(), 2, "a", true),
            (b"\xff\xf0\x9f", 9, "\u{fffd}\u{fffd}", false),
            ("é€\u{1f600}".as_bytes(), 9, "é€\u{1f600}", false),
            (b"\xe2\x82x", 9, "\u{fffd}x", false),
            (b"", 1, "", false),
            (b"\n", 1, "", false),
        ] {
            for piece in 1..=8 {
                let expected = CapturedText { text: text.to_owned(), clipped };
                assert_eq!(captured(output, max_units, piece), expected, "{output:?} in pieces of {piece}");
            }
        }
    }
}

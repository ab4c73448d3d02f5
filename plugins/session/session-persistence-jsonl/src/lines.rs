//! Text that comes in pieces, as lines.

use crate::refusal::Refusal;

/// Longest line that is read; what a line needs in memory is bounded by it. An event that is written is shorter by far enough
/// that the pieces of a stream which wait beside it fit the same line.
pub(crate) const MOST_LINE_BYTES: usize = 128 * 1024 * 1024;

/// Splits text into lines.
pub(crate) struct Lines {
    most: usize,
    /// The beginning of a line whose end has not come.
    partial: Vec<u8>,
    is_too_long: bool,
}

impl Lines {
    /// Lines of at most `most` bytes.
    pub(crate) fn new(most: usize) -> Self {
        Self { most, partial: Vec::new(), is_too_long: false }
    }

    /// Takes more text and hands over the lines that are whole now, without their ends.
    ///
    /// # Errors
    /// What `take` says, or that a line is longer than the most. One that never ends is no error: it is the rest.
    pub(crate) fn feed(&mut self, text: &[u8], mut take: impl FnMut(&[u8]) -> Result<(), Refusal>) -> Result<(), Refusal> {
        for piece in text.split_inclusive(|byte| *byte == b'\n') {
            match piece.strip_suffix(b"\n") {
                Some(end) if self.is_too_long || self.partial.len() + end.len() > self.most => return Err(self.too_long()),
                Some(line) if self.partial.is_empty() => take(line)?,
                Some(end) => {
                    self.partial.extend_from_slice(end);
                    take(&self.partial)?;
                    self.partial.clear();
                }
                None if self.is_too_long || self.partial.len() + piece.len() > self.most => {
                    (self.is_too_long, self.partial) = (true, Vec::new());
                }
                None => self.partial.extend_from_slice(piece),
            }
        }
        Ok(())
    }

    fn too_long(&self) -> Refusal {
        Refusal::Unsupported(format!("one of its lines is longer than {} bytes, the most that is read", self.most))
    }

    /// Whether the text ended with a whole line.
    pub(crate) fn is_whole(&self) -> bool {
        self.partial.is_empty() && !self.is_too_long
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    /// Feeds text in pieces of a length and yields the lines, or the error; and whether the text ended with a whole line.
    fn split(text: &str, piece: usize, most: usize) -> (Result<Vec<String>, String>, bool) {
        let (mut lines, mut found) = (Lines::new(most), Vec::new());
        let fed = text.as_bytes().chunks(piece).try_for_each(|piece| {
            lines.feed(piece, |line| {
                found.push(String::from_utf8(line.to_vec()).unwrap());
                Ok(())
            })
        });
        (fed.map(|()| found).map_err(|refusal| refusal.reason()), lines.is_whole())
    }

    #[test]
    fn lines_do_not_depend_on_the_pieces() {
        for piece in 1..12 {
            assert_eq!(split("ab\n\ncde\nf", piece, 3), (Ok(vec!["ab".to_owned(), String::new(), "cde".to_owned()]), false), "{piece}");
            assert_eq!(split("ab\n", piece, 3), (Ok(vec!["ab".to_owned()]), true), "{piece}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_refused_at_its_end_and_not_held() {
        for piece in 1..12 {
            let (found, _) = split("ab\ncdef\n", piece, 3);
            assert_eq!(found, Err("one of its lines is longer than 3 bytes, the most that is read".to_owned()), "{piece}");
            assert_eq!(split("ab\ncdefgh", piece, 3), (Ok(vec!["ab".to_owned()]), false), "{piece}");
        }
    }
}

//! Finding markers in what the shell prints.

use crate::script::MARK;

/// Digits of a status at most; a status has three, `printf` could print more only for a number that is none.
const STATUS_DIGITS: usize = 10;

/// Finds the markers of one command. Every byte is looked at once, however the output is cut into pieces.
pub struct MarkerScan {
    /// What follows the first [`MARK`] of both markers.
    nonce: Vec<u8>,
    started: bool,
    /// The beginning of what may become a marker.
    held: Vec<u8>,
}

/// What bytes that begin with [`MARK`] are.
enum Found {
    Start {
        length: usize,
    },
    End {
        status: i32,
    },
    /// Too few to tell.
    Beginning,
    Nothing,
}

impl MarkerScan {
    /// Looks for the markers with `nonce`.
    pub fn new(nonce: &str) -> Self {
        Self { nonce: nonce.as_bytes().to_vec(), started: false, held: Vec::new() }
    }

    /// Whether the start marker was seen.
    pub fn started(&self) -> bool {
        self.started
    }

    /// Takes a piece and hands what lies between the markers to `text`. Gives the status when the end marker is in it; nothing
    /// after that counts. An end without a start is one of a line that the shell gave up before the command ran.
    pub fn feed(&mut self, piece: &[u8], text: &mut impl FnMut(&[u8])) -> Option<i32> {
        let joined;
        let mut rest = if self.held.is_empty() {
            piece
        } else {
            joined = [std::mem::take(&mut self.held).as_slice(), piece].concat();
            joined.as_slice()
        };
        while let Some(mark) = rest.iter().position(|byte| *byte == MARK) {
            self.pass(&rest[..mark], text);
            rest = &rest[mark..];
            let length = match self.classify(rest) {
                Found::End { status } => return Some(status),
                Found::Start { length } => {
                    self.started = true;
                    length
                }
                Found::Beginning => {
                    self.held = rest.to_vec();
                    return None;
                }
                Found::Nothing => {
                    self.pass(&rest[..1], text);
                    1
                }
            };
            rest = &rest[length..];
        }
        self.pass(rest, text);
        None
    }

    fn pass(&self, bytes: &[u8], text: &mut impl FnMut(&[u8])) {
        if self.started && !bytes.is_empty() {
            text(bytes);
        }
    }

    fn classify(&self, bytes: &[u8]) -> Found {
        let known = bytes.len().min(self.nonce.len() + 1);
        if bytes[1..known] != self.nonce[..known - 1] {
            return Found::Nothing;
        }
        let after_nonce = &bytes[known..];
        match after_nonce.first() {
            None => Found::Beginning,
            Some(&MARK) => Found::Start { length: known + 1 },
            Some(b':') => {
                let digits = after_nonce[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                let status = std::str::from_utf8(&after_nonce[1..=digits]).ok().and_then(|digits| digits.parse().ok());
                match (after_nonce.get(digits + 1), status) {
                    (None, _) if digits <= STATUS_DIGITS => Found::Beginning,
                    (Some(&MARK), Some(status)) => Found::End { status },
                    _ => Found::Nothing,
                }
            }
            Some(_) => Found::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::MarkerScan;

    fn scanned(output: &[u8], pieces: impl Iterator<Item = usize>) -> (String, Option<i32>) {
        let (mut scan, mut text, mut rest) = (MarkerScan::new("n-1"), Vec::new(), output);
        for length in pieces {
            let (piece, left) = rest.split_at(length.min(rest.len()));
            rest = left;
            let status = scan.feed(piece, &mut |bytes| text.extend_from_slice(bytes));
            if status.is_some() || rest.is_empty() {
                return (String::from_utf8_lossy(&text).into_owned(), status);
            }
        }
        panic!("the pieces are too short")
    }

    #[test]
    fn markers_are_found_however_the_output_is_cut() {
        for (output, text, status) in [
            ("old\x1en-1\x1enew\n\x1en-1:0\x1e\x1en-1:9\x1e", "new\n", Some(0)),
            ("\x1en-1\x1e\x1en-1:130\x1e", "", Some(130)),
            (
                "\x1en-1\x1ea\x1eb\x1en-2:1\x1ec\x1e\x1en-1:1x\x1en-1:\x1e\x1en-1:7\x1e",
                "a\x1eb\x1en-2:1\x1ec\x1e\x1en-1:1x\x1en-1:\x1e",
                Some(7),
            ),
            ("lost\x1en-1:2\x1e", "", Some(2)),
            ("\x1en-1\x1e\x1en-1:12345678901234567890\x1etext", "\x1en-1:12345678901234567890\x1etext", None),
            ("\x1en-1\x1enever ended", "never ended", None),
        ] {
            for length in 1..=output.len() {
                assert_eq!(scanned(output.as_bytes(), std::iter::repeat(length)), (text.to_owned(), status), "{output:?} by {length}");
                let once = std::iter::once(length).chain(std::iter::repeat(output.len()));
                assert_eq!(scanned(output.as_bytes(), once), (text.to_owned(), status), "{output:?} at {length}");
            }
        }
    }
}

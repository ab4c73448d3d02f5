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
    Start { length: usize },
    End { status: i32 },
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

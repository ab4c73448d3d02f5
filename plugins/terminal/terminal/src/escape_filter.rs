//! Plain text out of what programs write to terminals.

/// Who gets what the filter finds.
pub trait TextSink {
    /// Text without escape sequences.
    fn text(&mut self, text: &[u8]);

    /// An operating-system command (OSC) without its introducer and terminator; a long one is cut off.
    fn command(&mut self, command: &[u8]) {
        let _ = command;
    }
}

/// Bytes of an operating-system command that are kept.
const COMMAND_BYTES: usize = 256;

const NUL: u8 = 0;
const BELL: u8 = 7;
const LINE_FEED: u8 = b'\n';
const RETURN: u8 = b'\r';
const CANCEL: u8 = 0x18;
const SUBSTITUTE: u8 = 0x1a;
const ESCAPE: u8 = 0x1b;

/// Takes terminal output in pieces of any size and passes text on: escape sequences, bells and NUL are dropped, a carriage return
/// (alone or before a line feed) becomes a line feed. What is not UTF-8 passes unchanged.
#[derive(Debug, Default)]
pub struct EscapeFilter {
    state: State,
    /// The last character was a carriage return, so that a line feed right after it says nothing new.
    after_return: bool,
    command: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    /// After ESC, and the intermediate characters of a short sequence.
    Escape,
    /// Inside a control sequence (CSI).
    Control,
    /// Inside an operating-system command.
    Command,
    /// Inside another string (DCS, SOS, PM, APC), which is dropped.
    OtherString,
    /// After ESC inside a string: a backslash ends it.
    StringEscape,
}

impl EscapeFilter {
    /// Takes a piece of output.
    pub fn feed(&mut self, mut piece: &[u8], sink: &mut impl TextSink) {
        while let Some(&byte) = piece.first() {
            if self.state == State::Text {
                let special = |byte: &u8| matches!(*byte, NUL | BELL | RETURN | ESCAPE);
                let plain = piece.iter().position(special).unwrap_or(piece.len());
                if plain > 0 {
                    self.plain(&piece[..plain], sink);
                    piece = &piece[plain..];
                    continue;
                }
            }
            self.step(byte, sink);
            piece = &piece[1..];
        }
    }

    fn plain(&mut self, text: &[u8], sink: &mut impl TextSink) {
        let repeated = self.after_return && text[0] == LINE_FEED;
        self.after_return = false;
        let text = if repeated { &text[1..] } else { text };
        if !text.is_empty() {
            sink.text(text);
        }
    }

    fn step(&mut self, byte: u8, sink: &mut impl TextSink) {
        self.state = match (self.state, byte) {
            (State::Text, RETURN) => {
                self.after_return = true;
                sink.text(&[LINE_FEED]);
                State::Text
            }
            (State::Text, ESCAPE) => State::Escape,
            (State::Text, _) => State::Text,
            // These end any sequence without effect.
            (_, CANCEL | SUBSTITUTE) => State::Text,
            // A string that was not ended does not swallow the rest of the output.
            (_, LINE_FEED | RETURN) => {
                self.state = State::Text;
                self.feed(&[byte], sink);
                return;
            }
            (State::Escape, b'[') => State::Control,
            (State::Escape, b']') => {
                self.command.clear();
                State::Command
            }
            (State::Escape, b'P' | b'X' | b'^' | b'_') => State::OtherString,
            (State::Escape, ESCAPE | 0x20..=0x2f) => State::Escape,
            (State::Escape, _) => State::Text,
            (State::Control, ESCAPE) => State::Escape,
            (State::Control, 0x40..=0x7e) => State::Text,
            (State::Control, _) => State::Control,
            (State::Command, BELL) => self.end_command(sink),
            (State::Command | State::OtherString, ESCAPE) => State::StringEscape,
            (State::Command, _) => {
                if self.command.len() < COMMAND_BYTES {
                    self.command.push(byte);
                }
                State::Command
            }
            (State::OtherString, _) => State::OtherString,
            (State::StringEscape, b'\\') => self.end_command(sink),
            // Another sequence cuts the string off.
            (State::StringEscape, _) => {
                self.command.clear();
                self.state = State::Escape;
                self.step(byte, sink);
                return;
            }
        };
    }

    fn end_command(&mut self, sink: &mut impl TextSink) -> State {
        if !self.command.is_empty() {
            sink.command(&self.command);
            self.command.clear();
        }
        State::Text
    }
}

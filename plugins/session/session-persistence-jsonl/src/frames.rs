//! The Zstandard frames of a compressed log, decoded piece by piece.

use std::io::{self, Read};
use std::ops::Range;

use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};

use crate::refusal::Refusal;

/// First bytes of every frame. Skippable frames, which have others, hold no part of a log.
pub(crate) const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Bits of the byte after them that no frame has set; the decoder itself looks at one of the two alone.
const RESERVED_BITS: u8 = 0x18;
/// Bytes that are read from the file at once.
const INPUT_BYTES: usize = 64 * 1024;

/// What is wrong with a frame that cannot be decoded.
const DAMAGED: &str = "its bytes are damaged: they cannot be decompressed, or are not what their checksum says";

/// The frames of a file. Besides its buffer it holds a window of the decoder, which takes 128 MiB at most; frames of this
/// format's level have windows of 2 MiB.
pub(crate) struct Frames<R> {
    file: R,
    input: Box<[u8]>,
    /// The part of the input that is not decoded.
    ready: Range<usize>,
    /// Number of bytes that were decoded.
    at: u64,
    /// Where the frame begins.
    start: u64,
    decoder: Decoder<'static>,
    is_ended: bool,
}

/// What stands where a frame may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begin {
    /// A frame.
    Frame,
    /// The end of the file.
    Nothing,
    /// The end of the file, after too few bytes for the beginning of a frame.
    Torn,
}

/// What was decoded of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// This many bytes of its text, at least one.
    Text(usize),
    /// The frame is whole and its checksum, if it has one, is right.
    Whole,
    /// The file ends inside the frame; all text that can be had was handed over.
    Torn,
}

impl<R: Read> Frames<R> {
    /// The frames from where `file` stands.
    pub(crate) fn new(file: R) -> io::Result<Self> {
        let input = vec![0; INPUT_BYTES].into_boxed_slice();
        Ok(Self { file, input, ready: 0..0, at: 0, start: 0, decoder: Decoder::new()?, is_ended: true })
    }

    /// How far the file was decoded, in bytes.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// Goes to the next frame; the one before must have ended.
    ///
    /// # Errors
    /// When something else stands there.
    pub(crate) fn begin(&mut self) -> Result<Begin, Refusal> {
        while self.ready.len() <= MAGIC.len() && self.fill()? {}
        let head = &self.input[self.ready.clone()];
        let (magic, descriptor) = head.split_at(head.len().min(MAGIC.len()));
        if !MAGIC.starts_with(magic) {
            return Err(Refusal::Corrupt(format!("no frame begins at byte {}", self.at)));
        }
        match descriptor.first() {
            Some(descriptor) if descriptor & RESERVED_BITS != 0 => {
                Err(Refusal::Corrupt("it has reserved bits set".to_owned()).in_frame(self.at))
            }
            Some(_) => {
                self.decoder.reinit()?;
                (self.start, self.is_ended) = (self.at, false);
                Ok(Begin::Frame)
            }
            None if magic.is_empty() => Ok(Begin::Nothing),
            None => Ok(Begin::Torn),
        }
    }

    /// Decodes more of the frame.
    ///
    /// # Errors
    /// When it cannot be decoded. The beginning of a frame that was being written always can.
    pub(crate) fn read(&mut self, text: &mut [u8]) -> Result<Piece, Refusal> {
        if self.is_ended {
            return Ok(Piece::Whole);
        }
        loop {
            let more = !self.ready.is_empty() || self.fill()?;
            let mut input = InBuffer::around(&self.input[self.ready.clone()]);
            let mut output = OutBuffer::around(&mut *text);
            let decoded = self.decoder.run(&mut input, &mut output);
            // The decoder is built without words for what it finds.
            let wanted = decoded.map_err(|_| Refusal::Corrupt(DAMAGED.to_owned()).in_frame(self.start))?;
            let (taken, made) = (input.pos(), output.pos());
            self.ready.start += taken;
            self.at += taken as u64;
            self.is_ended = wanted == 0;
            match made {
                0 if self.is_ended => return Ok(Piece::Whole),
                0 if !more => return Ok(Piece::Torn),
                0 => {}
                made => return Ok(Piece::Text(made)),
            }
        }
    }

    /// Reads more of the file behind what is ready. Yields whether there was more.
    fn fill(&mut self) -> io::Result<bool> {
        self.input.copy_within(self.ready.clone(), 0);
        self.ready = 0..self.ready.len();
        let read = loop {
            match self.file.read(&mut self.input[self.ready.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.ready.end += read;
        Ok(read > 0)
    }
}

/// Decodes the one frame that a file begins with, and hands its text over until `take` wants no more. Yields how it ended:
/// [`Piece::Text`] when there was more.
///
/// # Errors
/// As for [`Frames::begin`] and [`Frames::read`].
pub(crate) fn decode(file: impl Read, mut take: impl FnMut(&[u8]) -> bool) -> Result<Piece, Refusal> {
    let mut frames = Frames::new(file)?;
    if frames.begin()? != Begin::Frame {
        return Ok(Piece::Torn);
    }
    let mut text = vec![0; INPUT_BYTES];
    loop {
        match frames.read(&mut text)? {
            Piece::Text(made) if take(&text[..made]) => {}
            end => return Ok(end),
        }
    }
}

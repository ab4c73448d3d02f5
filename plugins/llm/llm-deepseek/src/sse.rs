//! Server-sent events, decoded as bytes arrive.

/// Most bytes of one event; more is no reply of a model.
const EVENT_LIMIT: usize = 8 * 1024 * 1024;

/// An event larger than the limit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct EventTooLong;

/// The decoder. Bytes may be cut anywhere; lines end with LF, CR or CRLF. Of an event only its data counts.
#[derive(Default)]
pub(crate) struct SseDecoder {
    line: Vec<u8>,
    data: Option<Vec<u8>>,
    /// The last byte was CR, so an LF belongs to it.
    after_cr: bool,
    past_first_line: bool,
}

impl SseDecoder {
    /// Takes bytes in; yields the data of the events that they complete.
    pub(crate) fn push(&mut self, mut bytes: &[u8]) -> Result<Vec<Vec<u8>>, EventTooLong> {
        let mut events = Vec::new();
        while let Some(&first) = bytes.first() {
            if std::mem::take(&mut self.after_cr) && first == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let piece = &bytes[..end.unwrap_or(bytes.len())];
            if self.line.len() + self.data.as_ref().map_or(0, Vec::len) + piece.len() > EVENT_LIMIT {
                return Err(EventTooLong);
            }
            self.line.extend_from_slice(piece);
            let Some(end) = end else { break };
            self.after_cr = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            events.extend(self.end_line());
        }
        Ok(events)
    }

    /// The bytes ended; yields the data of an event whose closing blank line is missing.
    pub(crate) fn finish(&mut self) -> Option<Vec<u8>> {
        let complete = if self.line.is_empty() { None } else { self.end_line() };
        complete.or_else(|| self.event())
    }

    /// The data collected so far; an event without data is none.
    fn event(&mut self) -> Option<Vec<u8>> {
        self.data.take().filter(|data| !data.is_empty())
    }

    fn end_line(&mut self) -> Option<Vec<u8>> {
        let mut line = std::mem::take(&mut self.line);
        if !std::mem::replace(&mut self.past_first_line, true) && line.starts_with(b"\xEF\xBB\xBF") {
            line.drain(..3);
        }
        if line.is_empty() {
            return self.event();
        }
        let (field, value) = match line.iter().position(|byte| *byte == b':') {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line.as_slice(), &[][..]),
        };
        // A comment is a line whose field is empty.
        if field == b"data" {
            let value = value.strip_prefix(b" ").unwrap_or(value);
            match &mut self.data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                None => self.data = Some(value.to_vec()),
            }
        }
        None
    }
}

#[cfg(test)]
mod fuzz;

#[cfg(test)]
mod tests {
    use super::{EVENT_LIMIT, EventTooLong, SseDecoder};

    fn decode(pieces: &[&[u8]]) -> Vec<String> {
        let mut decoder = SseDecoder::default();
        let mut events: Vec<Vec<u8>> = pieces.iter().flat_map(|piece| decoder.push(piece).unwrap()).collect();
        events.extend(decoder.finish());
        events.into_iter().map(|event| String::from_utf8(event).unwrap()).collect()
    }

    const STREAM: &str =
        "\u{feff}: hello\r\n\r\ndata: {\"a\":\r\ndata:\"é\"}\r\n\r\nevent: x\rid: 1\rdata:  two\r\rdata\n\n\n: ping\n\ndata: [DONE]\n\n";

    #[test]
    fn events_are_the_same_wherever_the_bytes_are_cut() {
        let expected = ["{\"a\":\n\"é\"}", " two", "[DONE]"];
        let bytes = STREAM.as_bytes();
        for cut in 0..=bytes.len() {
            assert_eq!(decode(&[&bytes[..cut], &bytes[cut..]]), expected, "cut at {cut}");
        }
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(decode(&single), expected);
    }

    #[test]
    fn an_event_at_the_end_needs_no_blank_line() {
        assert_eq!(decode(&[b"data: a\n\ndata: [DONE]"]), ["a", "[DONE]"]);
        assert_eq!(decode(&[b"data: [DONE]\r"]), ["[DONE]"]);
        assert_eq!(decode(&[b": only a comment"]), [""; 0]);
    }

    #[test]
    fn an_endless_event_is_refused() {
        let mut decoder = SseDecoder::default();
        let half = vec![b'x'; EVENT_LIMIT / 2 + 1];
        assert_eq!(decoder.push(&half), Ok(Vec::new()));
        assert_eq!(decoder.push(&half), Err(EventTooLong));
    }
}

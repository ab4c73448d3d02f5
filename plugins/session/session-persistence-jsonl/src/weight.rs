//! What events weigh, in memory and as lines.

use dsh_session::SessionEvent;

/// Largest event that is written. No message of a client's request, which has at most 64 MiB, comes near it. Together with the
/// pieces of a stream that may wait beside it, it makes a row within the longest line that is read, of 128 MiB.
const MOST_EVENT_BYTES: usize = 80 * 1024 * 1024;
/// What an event weighs besides its data and the numbers that it cites.
const ENVELOPE_BYTES: usize = 128;
/// What a cited number weighs: at most 16 digits and a comma.
const CITED_BYTES: usize = 17;

/// An event that no line can hold.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {seq} is too large: it has {bytes} bytes, and {MOST_EVENT_BYTES} is the most")]
pub(crate) struct TooLarge {
    seq: u64,
    bytes: usize,
}

/// Bytes of an event's line, estimated from above.
pub(crate) fn weight(event: &SessionEvent) -> usize {
    let cited = event.source_event_seqs.as_ref().map_or(0, Vec::len);
    event.data.get().len() + ENVELOPE_BYTES + cited * CITED_BYTES
}

/// Refuses an event that could be written, but not read again.
pub(crate) fn check_size(event: &SessionEvent) -> Result<(), TooLarge> {
    let bytes = weight(event);
    if bytes > MOST_EVENT_BYTES { Err(TooLarge { seq: event.seq, bytes }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use dsh_session::SessionEvent;

    use super::check_size;

    fn citing(numbers: usize) -> SessionEvent {
        let line = r#"{"type":"user/message","seq":7,"time":1,"data":{}}"#;
        SessionEvent { source_event_seqs: Some(vec![0; numbers]), ..serde_json::from_str(line).unwrap() }
    }

    #[test]
    fn the_numbers_that_an_event_cites_count() {
        assert_eq!(check_size(&citing(4_000_000)), Ok(()));
        let words = check_size(&citing(5_000_000)).unwrap_err().to_string();
        assert_eq!(words, "event 7 is too large: it has 85000130 bytes, and 83886080 is the most");
    }
}
